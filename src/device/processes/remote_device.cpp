// SPDX-License-Identifier: Apache-2.0
// Requests to other processes, see remote_device.h.
#include "device/processes/remote_device.h"

#include <exception>
#include <utility>

#include "device/devices.h"
#include "device/processes/nccl.h"
#include "device/processes/rows.h"
#include "device/replicated_device.h"
#include "hornbeam/error.h"

namespace hornbeam::processes {
namespace {

ArrayNumber number_of(const Buffer& buffer) { return reinterpret_cast<ArrayNumber>(buffer.handle()); }

/// What a process says of the device that it has opened.
struct Opened {
  std::string description, identity;

  static Opened from(const Bytes& answer) {
    Reader reader(answer);
    std::string description = reader.get_text();
    return {std::move(description), reader.get_text()};
  }
};

class RemoteDevice final : public Device {
 public:
  RemoteDevice(Team& team, int process, DeviceNumber device) : team_(team), process_(process), device_(device) {}
  ~RemoteDevice() override {
    try {
      request(Request::close);
      flush();
    } catch (const std::exception&) {  // MPI has ended
    }
  }
  RemoteDevice(const RemoteDevice&) = delete;
  RemoteDevice& operator=(const RemoteDevice&) = delete;

  /// Waits until it is open. like: that of the first process, of the same kind.
  void open(const Device* like) {
    like_ = like;
    opened_ = Opened::from(team_.answer(process_));
  }

  [[nodiscard]] std::string backend() const override { return like_->backend(); }
  [[nodiscard]] std::string description() const override { return opened_.description; }
  [[nodiscard]] std::string identity() const override { return opened_.identity; }
  [[nodiscard]] std::uint64_t memory_bytes() const override { return like_->memory_bytes(); }
  [[nodiscard]] std::uint64_t largest_buffer() const override { return like_->largest_buffer(); }
  [[nodiscard]] bool has(Precision precision) const override { return like_->has(precision); }
  [[nodiscard]] std::uint64_t free_bytes() const override {
    const Bytes answered = ask(Request::free_bytes);
    return Reader(answered).get<std::uint64_t>();
  }

  void* allocate(std::size_t bytes) override {
    request(Request::allocate, ++arrays_, bytes);
    return reinterpret_cast<void*>(arrays_);  // NOLINT(performance-no-int-to-ptr)
  }
  void release(void* handle) noexcept override {
    try {
      request(Request::release, reinterpret_cast<ArrayNumber>(handle));
    } catch (const std::exception&) {  // MPI has ended, and the memory with the process
    }
  }
  void upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
    Bytes values;
    put(values, number_of(to));
    put(values, offset);
    put_bytes(values, from, bytes);
    send(Request::upload, values);
  }
  void download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
    fill(to, ask(Request::download, number_of(from), offset, bytes));
  }
  void begin_fetch(const Buffer& from, std::size_t bytes) override {
    request(Request::begin_fetch, number_of(from), bytes);
  }
  void end_fetch(void* to, std::size_t bytes) override { fill(to, ask(Request::end_fetch, bytes)); }
  void clear(const Buffer& buffer, std::size_t bytes) override { request(Request::clear, number_of(buffer), bytes); }
  void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override {
    request(Request::copy, number_of(to), number_of(from), bytes);
  }
  int sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                 DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                 int begin, int end) override {
    const Bytes answered = ask(Request::sort_pairs, number_of(keys), number_of(spare_keys), number_of(values),
                               number_of(spare_values), n, begin, end);
    Reader reader(answered);
    const int lowest = reader.get<int>();
    if (reader.get<bool>()) keys.swap(spare_keys);
    if (reader.get<bool>()) values.swap(spare_values);
    return lowest;
  }
  void exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) override {
    request(Request::exclusive_scan, number_of(values), n);
  }
  int stamp() override { return 0; }  // the first process measures
  double seconds(int /*from*/, int /*to*/) override { return 0; }
  void join_queues(int last) override { request(Request::join_queues, last); }
  void flush() override {
    const std::scoped_lock lock(team_.mutex());
    team_.flush(process_);
  }

 protected:
  void start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) override {
    start(Request::start_items, kernel, variant, items, arguments);
  }
  void start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) override {
    start(Request::start_warps, kernel, variant, warps, arguments);
  }
  void fork_queue() override { request(Request::fork_queue); }
  void use_queue(int queue) override { request(Request::use_queue, queue); }

 private:
  void start(Request what, Kernel kernel, KernelVariant variant, std::int64_t count, const Arguments& arguments) {
    Bytes values;
    put(values, kernel);
    put(values, variant);
    put(values, count);
    put(values, arguments.layout());
    put_bytes(values, arguments.room().data(), arguments.room().size());
    send(what, values);
  }
  void send(Request what, const Bytes& values) {
    const std::scoped_lock lock(team_.mutex());
    team_.request(process_, what, device_, values);
  }
  template <class... T>
  void request(Request what, const T&... numbers) {
    Bytes values;
    (put(values, numbers), ...);
    send(what, values);
  }
  template <class... T>
  Bytes ask(Request what, const T&... numbers) const {
    Bytes values;
    (put(values, numbers), ...);
    const std::scoped_lock lock(team_.mutex());
    team_.request(process_, what, device_, values);
    return team_.answer(process_);
  }
  static void fill(void* to, const Bytes& from) { std::memcpy(to, from.data(), from.size()); }

  Team& team_;
  int process_;
  DeviceNumber device_;
  const Device* like_ = nullptr;
  Opened opened_;
  ArrayNumber arrays_ = 0;
};

/// Calls a function that may throw Error, and keeps the first one. All processes answer, whatever the others say.
template <class Call>
void keep_first(std::exception_ptr& failure, const Call& call) {
  try {
    call();
  } catch (const Error&) {
    if (failure == nullptr) failure = std::current_exception();
  }
}

/// Tells the other ranks whether all are ready.
void tell(Team& team, int ranks, bool are_ready) {
  Bytes decision;
  put(decision, are_ready);
  for (int process = 1; process < ranks; ++process) team.channel().send(process, decision);
}

/// Rank r of the device is process r. Each process is told which rows it sends and receives, and all begin together.
class LinksOfTeam final : public RankLinks {
 public:
  LinksOfTeam(Team& team, DeviceNumber device, std::unique_ptr<RowMover> mover)
      : team_(team), device_(device), mover_(std::move(mover)) {}
  ~LinksOfTeam() override {  // those of NCCL end together
    try {
      const std::scoped_lock lock(team_.mutex());
      team_.request_of_all(Request::unlink, device_, {});
    } catch (const std::exception&) {  // MPI has ended
    }
  }
  LinksOfTeam(const LinksOfTeam&) = delete;
  LinksOfTeam& operator=(const LinksOfTeam&) = delete;

  void copy(std::span<const std::unique_ptr<Device>> devices, std::span<const RankCopy> copies) override {
    const std::scoped_lock lock(team_.mutex());
    const int ranks = static_cast<int>(devices.size());
    for (int process = 1; process < ranks; ++process) {
      team_.request(process, Request::copy_rows, device_, rows_of(process, copies));
      team_.flush(process);
    }
    // Nobody begins before all are sound: a process that waited for rows of one that failed would wait for ever.
    std::exception_ptr failure;
    for (int process = 1; process < ranks; ++process) keep_first(failure, [&] { team_.answer(process); });
    tell(team_, ranks, failure == nullptr);
    if (failure != nullptr) std::rethrow_exception(failure);
    mover_->move(*devices.front(), own_rows(copies));
  }

 private:
  static Bytes rows_of(int process, std::span<const RankCopy> copies) {
    Bytes values;
    for (const RankCopy& one : copies) {
      if (one.rank != process && one.owner != process) continue;
      const bool goes = one.owner == process;
      put(values, goes ? one.rank : one.owner);
      put(values, goes);
      put(values, number_of(goes ? *one.from : *one.to));
      put(values, goes ? one.at.from : one.at.to);
      put(values, one.bytes);
    }
    return values;
  }
  static std::vector<Row> own_rows(std::span<const RankCopy> copies) {
    std::vector<Row> rows;
    for (const RankCopy& one : copies) {
      if (one.owner == 0) rows.push_back({one.rank, true, one.from, one.at.from, one.bytes});
      if (one.rank == 0) rows.push_back({one.owner, false, one.to, one.at.to, one.bytes});
    }
    return rows;
  }

  Team& team_;
  DeviceNumber device_;
  std::unique_ptr<RowMover> mover_;
};

/// NCCL among all processes, where each finds it; otherwise the way over the hosts, and a note for GPUs.
std::unique_ptr<RowMover> link_cards(Team& team, DeviceNumber device, Device& own) {
  const NcclKey key = own.backend() == "cuda" ? new_nccl_key() : NcclKey{};
  Bytes values;
  put(values, key);
  team.request_of_all(Request::links, device, values);
  const auto all = [&](bool is_ready) {
    for (int process = 1; process < team.size(); ++process) {
      const Bytes answered = team.answer(process);
      is_ready = Reader(answered).get<bool>() && is_ready;
    }
    tell(team, team.size(), is_ready);
    return is_ready;
  };
  if (all(key.is_set)) {
    std::unique_ptr<RowMover> cards = try_nccl(key, 0, team.size(), own);
    if (all(cards != nullptr)) return cards;
  }
  if (own.backend() == "cuda") {
    DeviceChoice choice = own.choice();
    choice.note = "GPUs exchange rows through the memory of the hosts: NCCL " +
                  std::string(key.is_set ? "does not connect them" : "(libnccl.so.2) is not used");
    own.set_choice(choice);
  }
  return rows_over_hosts(team.channel(), own);
}

void refuse_one_card_for_two(const std::vector<std::unique_ptr<Device>>& devices) {
  for (std::size_t k = 0; k < devices.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      if (devices[k]->identity().empty() || devices[k]->identity() != devices[other]->identity()) continue;
      throw Error("device",
                  "processes " + std::to_string(other) + " and " + std::to_string(k) + " have one card, " +
                      devices[k]->identity(),
                  "start one process for each card");
    }
  }
}

}  // namespace

int index_of_process(Place place, const Devices& devices, int there) {
  const bool named = !devices.are_all() && devices != Devices(0);
  const int given = named ? static_cast<int>(devices.indices.size()) : there;
  // a scheduler may show each process its own card alone
  if (!named && there < 2) return 0;
  if (place.index >= given) {
    throw UsageError(
        "device = " + devices.text(),
        std::to_string(place.count) + " processes of this machine have " + std::to_string(given) + " devices",
        "start one process for each device");
  }
  return named ? devices.indices[static_cast<std::size_t>(place.index)] : place.index;
}

std::unique_ptr<Device> open_device_of_team(Team& team, const std::string& backend, const Devices& devices) {
  const std::scoped_lock lock(team.mutex());
  static_cast<void>(team.channel());
  const DeviceNumber number = team.new_device();
  Bytes values;
  put(values, backend);
  put(values, devices.text());
  team.request_of_all(Request::open, number, values);
  std::vector<std::unique_ptr<Device>> opened(1);
  std::exception_ptr failure;
  keep_first(failure, [&] { opened.front() = open_own_device(backend, devices, team.place()); });
  for (int process = 1; process < team.size(); ++process) {
    auto device = std::make_unique<RemoteDevice>(team, process, number);
    keep_first(failure, [&] { device->open(opened.front().get()); });
    opened.push_back(std::move(device));
  }
  if (failure != nullptr) std::rethrow_exception(failure);
  const TestedRanks tested = ranks_of_environment();
  if (!tested.are_named) refuse_one_card_for_two(opened);
  auto links = std::make_unique<LinksOfTeam>(team, number, link_cards(team, number, *opened.front()));
  const DeviceChoice choice = opened.front()->choice();
  auto device = std::make_unique<ReplicatedDevice>(std::move(opened), tested.are_named ? 1 : least_targets_of_rank,
                                                   std::move(links));
  device->fail_at(tested.fail_at);
  device->set_choice(choice);
  return device;
}

}  // namespace hornbeam::processes
