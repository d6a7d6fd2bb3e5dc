// SPDX-License-Identifier: Apache-2.0
// Requests of the first process, carried out on the device of this one, see worker.h.
#include "device/processes/worker.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/borrowed.h"
#include "device/devices.h"
#include "device/processes/cores.h"
#include "device/processes/nccl.h"
#include "device/processes/remote_device.h"
#include "device/processes/requests.h"
#include "device/processes/rows.h"
#include "device/processes/team.h"
#include "hornbeam/error.h"

namespace hornbeam::processes {
/// A device of this process, and the arrays that the first one has numbered.
class Served {
 public:
  Served(Team& team, const std::string& backend, const Devices& devices)
      : team_(team), device_(open_own_device(backend, devices, team.place())) {}

  [[nodiscard]] std::string near_cores() const { return device_->near_cores(); }
  /// What is answered; none for requests that nobody waits for.
  std::optional<Bytes> carry_out(Request what, Reader& values);
  void move(std::span<const std::byte> values);

 private:
  Buffer& array(Reader& values) { return arrays_.at(values.get<ArrayNumber>()); }
  Bytes describe() const;
  Bytes download(Reader& values);
  Bytes end_fetch(Reader& values);
  Bytes sort(Reader& values);
  void link(Reader& values);
  void allocate(Reader& values);
  void upload(Reader& values);
  void start(bool by_warp, Reader& values);

  Team& team_;
  std::unique_ptr<Device> device_;
  std::map<ArrayNumber, Buffer> arrays_;  ///< go before the device
  std::unique_ptr<RowMover> mover_;
};

Bytes Served::describe() const {
  Bytes answer;
  put(answer, device_->description());
  put(answer, device_->identity());
  return answer;
}

void Served::allocate(Reader& values) {
  const auto number = values.get<ArrayNumber>();
  Buffer buffer(*device_);
  buffer.reserve(values.get<std::size_t>());
  arrays_.insert_or_assign(number, std::move(buffer));
}

void Served::upload(Reader& values) {
  const Buffer& to = array(values);
  const auto offset = values.get<std::size_t>();
  const std::span<const std::byte> bytes = values.get_bytes();
  device_->upload(to, offset, bytes.data(), bytes.size());
}

Bytes Served::download(Reader& values) {
  const Buffer& from = array(values);
  const auto offset = values.get<std::size_t>();
  Bytes bytes(values.get<std::size_t>());
  device_->download(bytes.data(), from, offset, bytes.size());
  return bytes;
}

Bytes Served::end_fetch(Reader& values) {
  Bytes bytes(values.get<std::size_t>());
  device_->end_fetch(bytes.data(), bytes.size());
  return bytes;
}

/// A number stays with its memory: the answer says whether the sorted pairs are in the spare arrays.
Bytes Served::sort(Reader& values) {
  Buffer &keys = array(values), &spare_keys = array(values), &pairs = array(values), &spare_pairs = array(values);
  const void *const of_keys = keys.handle(), *const of_pairs = pairs.handle();
  const auto n = values.get<std::int64_t>();
  const int begin = values.get<int>(), end = values.get<int>();
  int lowest = 0;
  {
    Borrowed<std::uint64_t> key(keys, *device_), spare_key(spare_keys, *device_);
    Borrowed<std::uint32_t> value(pairs, *device_), spare(spare_pairs, *device_);
    lowest = device_->sort_pairs(key.array(), spare_key.array(), value.array(), spare.array(), n, begin, end);
  }
  const bool keys_moved = keys.handle() != of_keys, pairs_moved = pairs.handle() != of_pairs;
  if (keys_moved) keys.swap(spare_keys);
  if (pairs_moved) pairs.swap(spare_pairs);
  Bytes answer;
  put(answer, lowest);
  put(answer, keys_moved);
  put(answer, pairs_moved);
  return answer;
}

void Served::start(bool by_warp, Reader& values) {
  const auto kernel = values.get<Kernel>();
  const auto variant = values.get<KernelVariant>();
  const auto count = values.get<std::int64_t>();
  const auto layout = values.get<Arguments::Layout>();
  const Arguments arguments(layout, values.get_bytes(),
                            [&](void* number) { return arrays_.at(reinterpret_cast<ArrayNumber>(number)).handle(); });
  if (by_warp) {
    device_->start_warps(kernel, variant, count, arguments);
  } else {
    device_->start_items(kernel, variant, count, arguments);
  }
}

/// Joins NCCL if all processes find it, and takes it if all have joined.
void Served::link(Reader& values) {
  const auto key = values.get<NcclKey>();
  const auto all = [&](bool is_ready) {
    Bytes answer, ready;
    put(ready, is_ready);
    put(answer, Verdict{});
    put_bytes(answer, ready.data(), ready.size());
    team_.channel().send(0, answer);
    const Bytes decision = team_.channel().receive(0);
    return Reader(decision).get<bool>();
  };
  if (all(key.is_set && has_nccl())) {
    std::unique_ptr<RowMover> cards = try_nccl(key, team_.rank(), team_.size(), *device_);
    if (all(cards != nullptr)) mover_ = std::move(cards);
  }
  if (mover_ == nullptr) mover_ = rows_over_hosts(team_.channel(), *device_);
}

void Served::move(std::span<const std::byte> values) {
  Reader reader(values);
  std::vector<Row> rows;
  while (!reader.is_at_end()) {
    const int peer = reader.get<int>();
    const bool goes = reader.get<bool>();
    const Buffer& buffer = array(reader);
    const auto offset = reader.get<std::size_t>();
    rows.push_back({peer, goes, &buffer, offset, reader.get<std::size_t>()});
  }
  mover_->move(*device_, rows);
}

std::optional<Bytes> Served::carry_out(Request what, Reader& values) {
  const auto two = [&](const auto& call) {  // an array and a number
    const Buffer& some = array(values);
    call(some, values.get<std::size_t>());
    return std::nullopt;
  };
  const auto done = [](const auto& call) {
    call();
    return std::nullopt;
  };
  switch (what) {
    case Request::open:
      return describe();
    case Request::links:
      return done([&] { link(values); });
    case Request::unlink:
      return done([&] { mover_.reset(); });
    case Request::allocate:
      return done([&] { allocate(values); });
    case Request::release:
      return done([&] { arrays_.erase(values.get<ArrayNumber>()); });
    case Request::upload:
      return done([&] { upload(values); });
    case Request::download:
      return download(values);
    case Request::begin_fetch:
      return two([&](const Buffer& a, std::size_t n) { device_->begin_fetch(a, n); });
    case Request::end_fetch:
      return end_fetch(values);
    case Request::clear:
      return two([&](const Buffer& a, std::size_t n) { device_->clear(a, n); });
    case Request::copy:
      return two([&, &to = array(values)](const Buffer& from, std::size_t n) { device_->copy(to, from, n); });
    case Request::start_items:
      return done([&] { start(false, values); });
    case Request::start_warps:
      return done([&] { start(true, values); });
    case Request::sort_pairs:
      return sort(values);
    case Request::exclusive_scan:
      return done([&] {
        Borrowed<std::uint32_t> some(array(values), *device_);
        device_->exclusive_scan(some.array(), values.get<std::int64_t>());
      });
    case Request::fork_queue:
      return done([&] { device_->fork_queue(); });
    case Request::use_queue:
      return done([&] { device_->use_queue(values.get<int>()); });
    case Request::join_queues:
      return done([&] { device_->join_queues(values.get<int>()); });
    case Request::free_bytes: {
      Bytes answer;
      put(answer, device_->free_bytes());
      return answer;
    }
    case Request::close:
    case Request::copy_rows:
    case Request::end:
      break;
  }
  return std::nullopt;
}

namespace {

/// All devices of this process, by number. One that has failed does nothing more, and says so to whoever waits.
class Worker {
 public:
  explicit Worker(Team& team) : team_(team) {}

  /// Carries out a message; the exit status once the program ends.
  std::optional<int> carry_out(const Bytes& message);

 private:
  struct Slot {
    std::unique_ptr<Served> served;
    Verdict verdict;
  };
  void carry_out(const RequestHeader& header, std::span<const std::byte> bytes);
  void open(Slot& slot, Reader& values);
  void copy_rows(Slot& slot, std::span<const std::byte> values);
  void answer(const Slot& slot, const Bytes& values);
  template <class Call>
  static void guard(Slot& slot, const Call& call);

  Team& team_;
  std::map<DeviceNumber, Slot> slots_;
};

bool is_answered(Request what) {
  switch (what) {
    case Request::open:
    case Request::download:
    case Request::end_fetch:
    case Request::sort_pairs:
    case Request::free_bytes:
      return true;
    default:
      return false;
  }
}

template <class Call>
void Worker::guard(Slot& slot, const Call& call) {
  if (!slot.verdict.failure.empty()) return;
  try {
    call();
  } catch (const std::exception& error) {
    slot.verdict = {error.what(), dynamic_cast<const UsageError*>(&error) != nullptr};
  }
}

void Worker::answer(const Slot& slot, const Bytes& values) {
  Bytes message;
  put(message, slot.verdict);
  put_bytes(message, values.data(), values.size());
  team_.channel().send(0, std::move(message));
}

void Worker::open(Slot& slot, Reader& values) {
  const std::string backend = values.get_text();
  slot.served = std::make_unique<Served>(team_, backend, Devices::from_text(values.get_text(), "device"));
  stay_near(slot.served->near_cores());
}

/// Says first whether this device is sound, and goes on if all are.
void Worker::copy_rows(Slot& slot, std::span<const std::byte> values) {
  answer(slot, {});
  const Bytes decision = team_.channel().receive(0);
  if (!Reader(decision).get<bool>()) return;
  guard(slot, [&] { slot.served->move(values); });
}

void Worker::carry_out(const RequestHeader& header, std::span<const std::byte> bytes) {
  if (header.what == Request::close) {
    slots_.erase(header.device);
    return;
  }
  // a device that fewer processes are enough for is closed here and open elsewhere
  if (header.what != Request::open && slots_.count(header.device) == 0) return;
  Slot& slot = slots_[header.device];
  if (header.what == Request::copy_rows) return copy_rows(slot, bytes);
  std::optional<Bytes> result;
  guard(slot, [&] {
    Reader values(bytes);
    if (header.what == Request::open) open(slot, values);
    result = slot.served->carry_out(header.what, values);
  });
  if (is_answered(header.what)) answer(slot, result.value_or(Bytes()));
}

std::optional<int> Worker::carry_out(const Bytes& message) {
  Reader reader(message);
  while (!reader.is_at_end()) {
    const auto header = reader.get<RequestHeader>();
    const std::span<const std::byte> values = reader.take(header.bytes);
    if (header.what == Request::end) return Reader(values).get<int>();
    carry_out(header, values);
  }
  return std::nullopt;
}

}  // namespace

int serve(Team& team) {
  Channel& channel = team.channel();
  std::optional<int> status;
  {
    Worker worker(team);
    while (!status) status = worker.carry_out(channel.receive(0, true));
  }
  channel.send(0, {});
  channel.finish();
  return *status;
}

}  // namespace hornbeam::processes
