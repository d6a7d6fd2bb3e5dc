// SPDX-License-Identifier: Apache-2.0
// Rows through the hosts' memory, see rows.h.
#include "device/processes/rows.h"

#include <vector>

#include "device/devices.h"

namespace hornbeam::processes {
namespace {

/// Calls visit(row, place) for the rows that go, or those that come: each process' one after the other in its room.
template <class Rooms, class Visit>
void for_each_of(Rooms& rooms, std::span<const Row> rows, bool going, const Visit& visit) {
  std::map<int, std::size_t> used;
  for (const Row& row : rows) {
    if (row.goes != going) continue;
    std::size_t& at = used[row.peer];
    visit(row, rooms[row.peer].memory.data() + at);
    at += row.bytes;
  }
}

}  // namespace

void RowsOverHosts::make_room(Rooms& rooms, std::span<const Row> rows, bool going) {
  for (auto& [peer, room] : rooms) room.used = 0;
  for (const Row& row : rows) {
    if (row.goes == going) rooms[row.peer].used += row.bytes;
  }
  for (auto& [peer, room] : rooms) {
    if (room.memory.size() < room.used) room.memory.resize(room.used);
  }
}

void RowsOverHosts::move(Device& device, std::span<const Row> rows) {
  make_room(coming_, rows, false);
  make_room(going_, rows, true);
  std::vector<Channel::Rows> coming, going;
  for (auto& [peer, room] : coming_) coming.push_back(channel_.begin_receive(peer, room.rows()));
  for_each_of(going_, rows, true,
              [&](const Row& row, std::byte* place) { device.download(place, *row.array, row.offset, row.bytes); });
  for (auto& [peer, room] : going_) going.push_back(channel_.begin_send(peer, room.rows()));
  for (Channel::Rows& some : coming) channel_.wait(some);
  for_each_of(coming_, rows, false,
              [&](const Row& row, std::byte* place) { device.upload(*row.array, row.offset, place, row.bytes); });
  for (Channel::Rows& some : going) channel_.wait(some);
}

std::vector<PackedRows::Packed> PackedRows::pack(Device& device, std::span<const Row> rows, bool going, Rooms& rooms,
                                                 std::vector<Row>& joined) {
  std::map<int, std::size_t> used;
  std::vector<Packed> packed;
  for (const Row& row : rows) {
    if (row.goes != going) continue;
    std::size_t& at = used[row.peer];
    packed.push_back({&row, &rooms.try_emplace(row.peer, device).first->second, at});
    at += row.bytes;
  }
  for (const auto& [peer, bytes] : used) {
    rooms.at(peer).reserve(bytes);
    joined.push_back({peer, going, &rooms.at(peer), 0, bytes});
  }
  return packed;
}

void PackedRows::move(Device& device, std::span<const Row> rows) {
  std::vector<Row> joined;
  for (const Packed& one : pack(device, rows, true, going_, joined)) {
    device.copy_from(*one.room, device, *one.row->array, {one.at, one.row->offset}, one.row->bytes);
  }
  const std::vector<Packed> coming = pack(device, rows, false, coming_, joined);
  mover_->move(device, joined);
  for (const Packed& one : coming) {
    device.copy_from(*one.row->array, device, *one.room, {one.row->offset, one.at}, one.row->bytes);
  }
}

std::unique_ptr<RowMover> rows_over_hosts(Channel& channel, const Device& device) {
  auto mover = std::make_unique<RowsOverHosts>(channel);
  if (device.backend() != "cuda" && !ranks_of_environment().are_named) return mover;
  return std::make_unique<PackedRows>(std::move(mover));
}

}  // namespace hornbeam::processes
