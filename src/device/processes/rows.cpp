// SPDX-License-Identifier: Apache-2.0
// Rows through the hosts' memory, see rows.h.
#include "device/processes/rows.h"

#include <vector>

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

}  // namespace hornbeam::processes
