// SPDX-License-Identifier: Apache-2.0
// Which device `auto` takes where cards are full or cannot be opened, and the words of a driver's failures. Cards are
// stubs: the CPU under another name.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

#include "device/devices.h"
#include "device/driver_failure.h"
#include "device/host/host_device.h"
#include "dynamics/particle_system.h"
#include "hornbeam/ics.h"
#include "interactions/gravity/memory_plan.h"

namespace hornbeam {
namespace {

constexpr std::uint64_t much = 40'000'000'000;

/// A card with so many bytes free.
class Card final : public Device {
 public:
  explicit Card(std::uint64_t free) : free_(free), host_(open_host_device(1)) {}
  [[nodiscard]] std::string backend() const override { return "cuda"; }
  [[nodiscard]] std::string description() const override { return "a card"; }
  [[nodiscard]] std::uint64_t memory_bytes() const override { return much; }
  [[nodiscard]] std::uint64_t free_bytes() const override { return free_; }
  [[nodiscard]] std::uint64_t largest_buffer() const override { return much; }
  [[nodiscard]] bool has(Precision /*precision*/) const override { return true; }
  void* allocate(std::size_t bytes) override { return host_->allocate(bytes); }
  void release(void* handle) noexcept override { host_->release(handle); }
  void upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
    host_->upload(to, offset, from, bytes);
  }
  void download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
    host_->download(to, from, offset, bytes);
  }
  void begin_fetch(const Buffer& from, std::size_t bytes) override { host_->begin_fetch(from, bytes); }
  void end_fetch(void* to, std::size_t bytes) override { host_->end_fetch(to, bytes); }
  void clear(const Buffer& buffer, std::size_t bytes) override { host_->clear(buffer, bytes); }
  void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override { host_->copy(to, from, bytes); }
  int sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                 DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                 int begin, int end) override {
    return host_->sort_pairs(keys, spare_keys, values, spare_values, n, begin, end);
  }
  void exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) override { host_->exclusive_scan(values, n); }
  int stamp() override { return host_->stamp(); }
  double seconds(int from, int to) override { return host_->seconds(from, to); }

 protected:
  void start_items(Kernel /*kernel*/, KernelVariant /*variant*/, std::int64_t /*items*/,
                   const Arguments& /*arguments*/) override {}
  void start_warps(Kernel /*kernel*/, KernelVariant /*variant*/, std::int64_t /*warps*/,
                   const Arguments& /*arguments*/) override {}

 private:
  std::uint64_t free_;
  std::unique_ptr<HostDevice> host_;
};

/// As `auto` takes it.
std::unique_ptr<Device> automatic(std::uint64_t free, int index) {
  auto card = std::make_unique<Card>(free);
  card->set_choice({true, index, 1, ""});
  return card;
}

/// Limits address space while it lives, far above what the tests take.
class AddressLimit {
 public:
  AddressLimit() {
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = rlim_t{1} << 36;
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;

 private:
  rlimit before_{};
};

std::string words_of(DriverFailure kind) {
  try {
    throw_failure(kind, "cudaCall(&a, b)", "its words");
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(DeviceChoice, TakesTheFirstCardWithMemory) {
  std::string note;
  const auto open = [](int index) -> std::unique_ptr<Device> {
    if (index == 0) return std::make_unique<Card>(kept_free_on_device - 1);
    if (index == 1) throw DeviceFull("device memory", "cudaMemPoolCreate failed: out of memory", "end other programs");
    return std::make_unique<Card>(kept_free_on_device);
  };
  const auto taken = first_with_room(0, 4, open, note);
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(taken->choice().index, 2);
  EXPECT_EQ(note,
            "CUDA device 0 is skipped: 256 MB of its memory is free; CUDA device 1 is skipped: device memory: "
            "cudaMemPoolCreate failed: out of memory (end other programs)");
}

TEST(DeviceChoice, TakesNoneWhereAllAreFull) {
  std::string note;
  EXPECT_EQ(first_with_room(
                0, 2, [](int) { return std::make_unique<Card>(10'000'000); }, note),
            nullptr);
  EXPECT_NE(note.find("CUDA device 1 is skipped: 10 MB"), std::string::npos) << note;
  note.clear();
  EXPECT_EQ(first_with_room(
                2, 2, [](int) { return std::make_unique<Card>(much); }, note),
            nullptr);
  EXPECT_EQ(note, "");
}

TEST(DeviceChoice, OtherFailuresAreNotPassedOver) {
  std::string note;
  const auto open = [](int) -> std::unique_ptr<Device> { throw Error("cuda", "is broken"); };
  EXPECT_THROW(static_cast<void>(first_with_room(0, 2, open, note)), Error);
}

TEST(DeviceChoice, AFullCardGivesWayToTheNextDevice) {
  const Particles p = ics::make("plummer", 2000, ics::Seed{1}, {}, {}).particles;
  for (const std::uint64_t free :
       {std::uint64_t{0}, std::uint64_t{kept_free_on_device}, kept_free_on_device + 100'000}) {
    ParticleSystem system(automatic(free, 1000));  // behind all cards that this machine may have: then comes the CPU
    GravityOptions options;
    options.eps = 0.01;
    system.load(p, options);
    EXPECT_EQ(system.name(), "cpu");
    EXPECT_EQ(system.device_note().find("backend = auto uses cpu device 0: CUDA device 1000 is skipped: device "
                                        "memory: 2000 particles need about 25"),
              0U)
        << system.device_note();
    system.build_tree();
    system.evaluate();
    Particles found = p;
    system.domain().store(found);
    EXPECT_LT(found.potential[0], 0);
  }
}

TEST(DeviceChoice, ADeviceThatWasNamedGivesNoWay) {
  const Particles p = ics::make("plummer", 2000, ics::Seed{1}, {}, {}).particles;
  ParticleSystem system(std::make_unique<Card>(300'000'000));
  GravityOptions options;
  options.eps = 0.01;
  EXPECT_NO_THROW(system.admit(2000, options, {}));
  EXPECT_THROW(system.admit(2'000'000, options, {}), DeviceFull);
  EXPECT_EQ(system.name(), "cuda");
  EXPECT_EQ(system.device_note(), "");
}

// On the smallest card that has room for walks by opening angles an accuracy does not fit: the default is none there.
TEST(DeviceChoice, ADefaultAccuracyThatDoesNotFitGivesWayToAngles) {
  constexpr std::uint64_t n = 2'000'000, step = 10'000'000;
  const auto fits = [](std::uint64_t free, double accuracy) {
    ParticleSystem system(std::make_unique<Card>(free));
    GravityOptions options;
    options.eps = 0.01;
    options.accuracy = accuracy;
    try {
      system.admit(n, options, {});
    } catch (const DeviceFull&) {
      return false;
    }
    return true;
  };
  std::uint64_t free = kept_free_on_device;
  while (!fits(free, 0)) free += step;
  EXPECT_FALSE(fits(free, usual_accuracy));
  EXPECT_TRUE(fits(free, -1));
  EXPECT_FALSE(fits(free - step, -1));
}

TEST(DeviceChoice, BoundsAreNumbersOfParticles) {
  const mixed::WalkOptions w{};
  GravityOptions o;
  o.leaf_size = 24;
  o.group_size = 64;
  for (const std::uint64_t free : {std::uint64_t{0}, std::uint64_t{10'000'000}, std::uint64_t{200'000'000},
                                   kept_free_on_device, kept_free_on_device + 100, kept_free_on_device + 200'000}) {
    try {
      mixed::fitting_leaf_size(20'000, o, w, {}, free, "a card");
      FAIL() << free;
    } catch (const DeviceFull& full) {
      const std::string text = full.what();
      EXPECT_EQ(text.find("device memory: 20000 particles need about 2"), 0U) << text;
      EXPECT_NE(text.find("256 MB for any number"), std::string::npos) << text;
      const std::size_t at = text.find("use at most ");
      EXPECT_EQ(at != std::string::npos, free > kept_free_on_device + 1000) << text;
      if (at != std::string::npos) {
        EXPECT_LT(std::stoull(text.substr(at + 12)), 20'000U) << text;
      }
    }
  }
}

TEST(DriverFailure, IsSaidByItsKind) {
  EXPECT_EQ(words_of(DriverFailure::memory).find("device memory: cudaCall failed: its words (end other programs"), 0U);
  EXPECT_EQ(words_of(DriverFailure::no_device),
            "backend = cuda: no NVIDIA device or driver was found (use cpu or auto)");
  EXPECT_EQ(words_of(DriverFailure::captured),
            "cuda: cudaCall failed: its words, while another library captures a CUDA graph (call Hornbeam outside of "
            "the capture)");
  EXPECT_EQ(words_of(DriverFailure::other),
            "cuda: cudaCall failed: its words (see nvidia-smi for the state of the device)");
  EXPECT_THROW(throw_failure(DriverFailure::memory, "a", "b"), DeviceFull);
  EXPECT_THROW(throw_failure(DriverFailure::no_device, "a", "b"), NoDevice);
}

TEST(DriverFailure, NamesTheLimitOfAddressSpace) {
  const AddressLimit limit;
  for (const DriverFailure kind : {DriverFailure::memory, DriverFailure::no_device}) {
    const std::string text = words_of(kind);
    EXPECT_NE(text.find(", under the limit ulimit -v (address space) = 68.7 GB (raise ulimit -v"), std::string::npos)
        << text;
  }
  EXPECT_EQ(words_of(DriverFailure::captured).find("ulimit"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam
