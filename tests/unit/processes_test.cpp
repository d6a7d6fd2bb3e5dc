// SPDX-License-Identifier: Apache-2.0
// Parts of runs in several processes that need no MPI: tests/cli/test_processes.py has the whole.
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/buffer.h"
#include "device/processes/channel.h"
#include "device/processes/cores.h"
#include "device/processes/launcher.h"
#include "device/processes/remote_device.h"
#include "hornbeam/error.h"

namespace hornbeam::processes {
namespace {

/// The environment of a launcher, until the end of a test.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) : variables_(variables) {
    for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : variables_) unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::string> variables_;
};

TEST(Launchers, AreKnownByWhatTheyLeaveInTheEnvironment) {
  EXPECT_FALSE(launcher());
  {
    const Environment open_mpi({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}});
    EXPECT_EQ(launcher()->rank, 3);
    EXPECT_EQ(launcher()->size, 4);
    EXPECT_EQ(launcher()->libraries.front(), "libmpi.so.40");
  }
  {
    const Environment mpich({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}});
    EXPECT_EQ(launcher()->size, 2);
    EXPECT_EQ(launcher()->libraries.front(), "libmpi.so.12");
  }
  const Environment slurm({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}});
  EXPECT_EQ(launcher()->name, "srun");
}

TEST(Launchers, OfOneProcessOrOfNonsenseAreNone) {
  for (const auto& [size, rank] : std::vector<std::pair<std::string, std::string>>{
           {"1", "0"}, {"2", "2"}, {"99999999999", "0"}, {"2x", "0"}, {"2", "-1"}, {"two", "0"}, {"", ""}}) {
    const Environment some({{"PMI_SIZE", size}, {"PMI_RANK", rank}});
    EXPECT_FALSE(launcher()) << size << " " << rank;
  }
}

TEST(DevicesOfProcesses, AreTakenInTurnOnEachMachine) {
  EXPECT_EQ(index_of_process({0, 4}, Devices(0), 4), 0);
  EXPECT_EQ(index_of_process({3, 4}, Devices(0), 4), 3);
  EXPECT_EQ(index_of_process({3, 4}, Devices::all(), 4), 3);
  EXPECT_EQ(index_of_process({1, 2}, Devices::from_text("5,2", "device"), 8), 2);
  EXPECT_EQ(index_of_process({3, 4}, Devices(0), 1), 0) << "a scheduler shows each its own";
  EXPECT_THROW(index_of_process({2, 3}, Devices(0), 2), UsageError);
  EXPECT_THROW(index_of_process({1, 2}, Devices(3), 4), UsageError);
}

TEST(Arguments, KeepTheirValuesInAnotherProcess) {
  struct Pair {
    double a;
    float b;
  };
  int memory = 0;
  const auto array = ArrayArgument<float>::lent(&memory);
  const OptionalArgument<float> none(nullptr);
  const char letter = 'x';
  const Arguments here(letter, array, Pair{1.5, 2.5F}, none, std::int64_t{7});
  const Bytes room(here.room().begin(), here.room().end());
  int there = 0;
  const Arguments copy(here.layout(), std::span<const std::byte>(room),
                       [&](void* handle) -> void* { return handle == &memory ? &there : nullptr; });
  ASSERT_EQ(copy.items().size(), here.items().size());
  EXPECT_EQ(*static_cast<const char*>(copy.items()[0].value), 'x');
  EXPECT_EQ(*static_cast<void* const*>(copy.items()[1].value), &there);
  EXPECT_EQ(static_cast<const Pair*>(copy.items()[2].value)->b, 2.5F);
  EXPECT_EQ(*static_cast<void* const*>(copy.items()[3].value), nullptr);
  EXPECT_EQ(*static_cast<const std::int64_t*>(copy.items()[4].value), 7);
  for (std::size_t k = 0; k < copy.items().size(); ++k) EXPECT_EQ(copy.items()[k].bytes, here.items()[k].bytes);
}

TEST(Cores, AreListedAsLinuxDoes) {
  EXPECT_EQ(cores_of("0-3,8\n"), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(cores_of("5"), std::vector<int>{5});
  for (const char* const text : {"", "\n", "a", "3-1", "1,", ",1", "1-", "1;2", "-1", "999999999"}) {
    EXPECT_TRUE(cores_of(text).empty()) << text;
  }
}

TEST(Cores, OfThisProcessStayAsTheyAreWhereNoneIsNear) {
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  stay_near("");
  stay_near("no list");
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(Messages, EndWhereTheyAreTooShort) {
  Bytes bytes;
  put(bytes, 3);
  put(bytes, std::string("word"));
  Reader reader(bytes);
  EXPECT_EQ(reader.get<int>(), 3);
  EXPECT_EQ(reader.get_text(), "word");
  EXPECT_TRUE(reader.is_at_end());
  EXPECT_THROW(reader.get<char>(), Error);
}

/// Messages of one thread to itself, as of two processes.
struct Mailbox {
  std::map<int, std::deque<Bytes>> by_tag;
};

struct Aborted {};

class OwnMail final : public MpiLibrary {
 public:
  explicit OwnMail(Mailbox& mail) : mail_(mail) {}

  void start(const Launcher& /*launcher*/) override {}
  int rank() override { return 0; }
  int size() override { return 2; }
  Transfer begin_send(const void* from, int bytes, int /*to*/, int tag) override {
    const auto* const first = static_cast<const std::byte*>(from);
    mail_.by_tag[tag].emplace_back(first, first + bytes);
    return 0;
  }
  Transfer begin_receive(void* to, int bytes, int /*from*/, int tag) override {
    awaited_.push_back({to, bytes, tag});
    return awaited_.size();
  }
  bool is_done(Transfer& transfer) override {
    if (transfer == 0) return true;
    const Awaited& one = awaited_[transfer - 1];
    std::deque<Bytes>& come = mail_.by_tag[one.tag];
    if (come.empty()) return false;
    EXPECT_LE(come.front().size(), static_cast<std::size_t>(one.bytes));
    std::memcpy(one.to, come.front().data(), come.front().size());
    come.pop_front();
    return true;
  }
  void finish() override {}
  [[noreturn]] void abort(int /*status*/) override { throw Aborted(); }

 private:
  struct Awaited {
    void* to;
    int bytes, tag;
  };
  Mailbox& mail_;
  std::vector<Awaited> awaited_;
};

TEST(Channels, CarryMessagesOfAnyLength) {
  Mailbox mail;
  Channel channel(std::make_unique<OwnMail>(mail), 1);
  for (const std::size_t size : {0UL, 1UL, 4087UL, 4088UL, 4089UL, 100'000UL}) {
    Bytes message(size);
    for (std::size_t k = 0; k < size; ++k) message[k] = static_cast<std::byte>(k * 7);
    channel.send(1, message);
    EXPECT_EQ(channel.receive(1), message) << size;
  }
}

TEST(Channels, CarryRows) {
  Mailbox mail;
  Channel channel(std::make_unique<OwnMail>(mail), 1);
  const Bytes rows(1000, std::byte{3});
  Bytes got(1000);
  Channel::Rows coming = channel.begin_receive(1, got), going = channel.begin_send(1, rows);
  channel.wait(coming);
  channel.wait(going);
  EXPECT_EQ(got, rows);
}

TEST(Channels, GiveUpOnThoseThatSayNothing) {
  Mailbox mail;
  Channel channel(std::make_unique<OwnMail>(mail), 0.05);
  testing::internal::CaptureStderr();
  EXPECT_THROW(channel.receive(1), Aborted);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "hornbeam: error: process 1 of 2: has not answered for 0.05 s (HORNBEAM_PATIENCE)\n");
}

}  // namespace
}  // namespace hornbeam::processes
