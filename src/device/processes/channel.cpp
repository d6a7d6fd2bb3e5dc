// SPDX-License-Identifier: Apache-2.0
// Messages over MPI, see channel.h.
#include "device/processes/channel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

namespace hornbeam::processes {
namespace {

constexpr int of_requests = 1, of_rows = 2;  ///< tags
/// Bytes of the first piece of a message, with its length: requests mostly fit.
constexpr std::size_t first_piece = 4096;
constexpr std::size_t largest_piece = std::size_t{1} << 30;  ///< MPI counts in int
constexpr std::size_t most_on_their_way = std::size_t{256} << 20;
constexpr double default_patience = 600;

/// Calls begin(place, bytes) for each piece of a memory of that size.
template <class Begin>
std::vector<MpiLibrary::Transfer> in_pieces(std::size_t begin, std::size_t end, const Begin& transfer) {
  std::vector<MpiLibrary::Transfer> parts;
  for (std::size_t at = begin; at < end; at += largest_piece) {
    parts.push_back(transfer(at, static_cast<int>(std::min(largest_piece, end - at))));
  }
  return parts;
}

/// Waiting costs no core for long: processes may be more than there are cores.
class Pause {
 public:
  void operator()() {
    ++times_;
    if (times_ < 2000) return;
    if (times_ < 4000) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(times_ < 6000 ? 50 : 1000));
  }

 private:
  int times_ = 0;
};

}  // namespace

double patience() {
  const char* const text = std::getenv("HORNBEAM_PATIENCE");
  if (text == nullptr) return default_patience;
  double seconds = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, seconds);
  if (error != std::errc() || stopped != end || !(seconds > 0) || !std::isfinite(seconds)) {
    throw UsageError("HORNBEAM_PATIENCE = " + std::string(text), "must be a number of seconds above 0");
  }
  return seconds;
}

void Channel::give_up(int peer) {
  std::fprintf(stderr, "hornbeam: error: process %d of %d: has not answered for %g s (HORNBEAM_PATIENCE)\n", peer,
               size(), patience_);
  std::fflush(stderr);
  mpi_->abort(1);
  std::_Exit(1);  // g++ 12 does not believe that of a virtual function
}

void Channel::wait(MpiLibrary::Transfer transfer, int peer, bool is_patient) {
  const auto begin = std::chrono::steady_clock::now();
  Pause pause;
  while (!mpi_->is_done(transfer)) {
    pause();
    if (is_patient) continue;
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > patience_) give_up(peer);
  }
}

void Channel::forget_what_has_arrived() {
  for (auto one = sent_.begin(); one != sent_.end();) {
    std::erase_if(one->parts, [&](MpiLibrary::Transfer part) { return mpi_->is_done(part); });
    if (one->parts.empty()) {
      bytes_sent_ -= one->message.size();
      one = sent_.erase(one);
    } else {
      ++one;
    }
  }
}

void Channel::send(int to, Bytes message) {
  const std::uint64_t size = message.size();
  const std::size_t begin = std::min<std::size_t>(size, first_piece - sizeof size);
  Bytes first;
  put(first, size);
  first.insert(first.end(), message.begin(), message.begin() + static_cast<std::ptrdiff_t>(begin));
  Sent& sent = sent_.emplace_back(Sent{std::move(first), std::move(message), {}, to});
  const MpiLibrary::Transfer head =
      mpi_->begin_send(sent.first.data(), static_cast<int>(sent.first.size()), to, of_requests);
  sent.parts = in_pieces(begin, sent.message.size(), [&](std::size_t at, int bytes) {
    return mpi_->begin_send(sent.message.data() + at, bytes, to, of_requests);
  });
  sent.parts.push_back(head);
  bytes_sent_ += sent.message.size();
  forget_what_has_arrived();
  while (bytes_sent_ > most_on_their_way) {
    for (const MpiLibrary::Transfer part : std::exchange(sent_.front().parts, {})) wait(part, sent_.front().to, false);
    forget_what_has_arrived();
  }
}

Bytes Channel::receive(int from, bool is_patient) {
  std::array<std::byte, first_piece> piece;
  wait(mpi_->begin_receive(piece.data(), static_cast<int>(first_piece), from, of_requests), from, is_patient);
  std::uint64_t size = 0;
  std::memcpy(&size, piece.data(), sizeof size);
  Bytes message(size);
  const std::size_t first = std::min<std::size_t>(size, first_piece - sizeof size);
  std::copy_n(piece.data() + sizeof size, first, message.data());
  for (const MpiLibrary::Transfer part : in_pieces(first, message.size(), [&](std::size_t at, int bytes) {
         return mpi_->begin_receive(message.data() + at, bytes, from, of_requests);
       })) {
    wait(part, from, false);
  }
  return message;
}

Channel::Rows Channel::begin_send(int to, std::span<const std::byte> rows) {
  return {to, in_pieces(0, rows.size(), [&](std::size_t at, int bytes) {
            return mpi_->begin_send(rows.data() + at, bytes, to, of_rows);
          })};
}

Channel::Rows Channel::begin_receive(int from, std::span<std::byte> rows) {
  return {from, in_pieces(0, rows.size(), [&](std::size_t at, int bytes) {
            return mpi_->begin_receive(rows.data() + at, bytes, from, of_rows);
          })};
}

void Channel::wait(Rows& rows) {
  for (const MpiLibrary::Transfer part : std::exchange(rows.parts, {})) wait(part, rows.peer, false);
}

void Channel::finish() {
  for (Sent& sent : sent_) {
    for (const MpiLibrary::Transfer part : std::exchange(sent.parts, {})) wait(part, sent.to, false);
  }
  mpi_->finish();
}

}  // namespace hornbeam::processes
