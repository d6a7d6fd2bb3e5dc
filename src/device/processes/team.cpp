// SPDX-License-Identifier: Apache-2.0
// The processes of one run, see team.h.
#include "device/processes/team.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "core/forking.h"
#include "device/processes/worker.h"
#include "hornbeam/error.h"

namespace hornbeam::processes {
namespace {

constexpr std::size_t long_line = 16384;  ///< bytes

std::unique_ptr<Team>& team() {
  static std::unique_ptr<Team> ours;
  return ours;
}

std::string name_of_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

Team* Team::of_this_process() { return team().get(); }

Channel& Team::channel() {
  if (channel_ == nullptr) {
    std::unique_ptr<MpiLibrary> library = std::move(library_);
    if (library == nullptr) throw Error("MPI", "has not started");
    forbid_forks();  // memory that is registered with a network must not be copied
    library->start(launcher_);
    channel_ = std::make_unique<Channel>(std::move(library), patience_);
    if (channel_->rank() != launcher_.rank) {
      throw Error("MPI", "numbers this process " + std::to_string(channel_->rank()) + ", and " + launcher_.name + " " +
                             std::to_string(launcher_.rank));
    }
    lines_.resize(static_cast<std::size_t>(size()));
    learn_places();
  }
  return *channel_;
}

void Team::learn_places() {
  hosts_.assign(static_cast<std::size_t>(size()), name_of_host());
  if (rank() > 0) {
    Bytes name;
    put(name, hosts_.front());
    channel_->send(0, name);
    const Bytes names = channel_->receive(0);
    Reader reader(names);
    for (std::string& host : hosts_) host = reader.get_text();
  } else {
    Bytes names;
    for (int process = 0; process < size(); ++process) {
      std::string& host = hosts_[static_cast<std::size_t>(process)];
      if (process > 0)
        host = [&] {
          const Bytes name = channel_->receive(process);
          return Reader(name).get_text();
        }();
      put(names, host);
    }
    for (int process = 1; process < size(); ++process) channel_->send(process, names);
  }
  const std::string& here = hosts_[static_cast<std::size_t>(rank())];
  place_ = {static_cast<int>(std::count(hosts_.begin(), hosts_.begin() + rank(), here)),
            static_cast<int>(std::count(hosts_.begin(), hosts_.end(), here))};
}

void Team::request(int process, Request what, DeviceNumber device, const Bytes& values) {
  Bytes& line = lines_[static_cast<std::size_t>(process)];
  put(line, RequestHeader{what, device, values.size()});
  line.insert(line.end(), values.begin(), values.end());
  if (line.size() > long_line) flush(process);
}

void Team::flush(int process) {
  Bytes& line = lines_[static_cast<std::size_t>(process)];
  if (!line.empty()) channel_->send(process, std::exchange(line, {}));
}

Bytes Team::answer(int process) {
  flush(process);
  Bytes answer = channel_->receive(process);
  Reader reader(answer);
  const Verdict verdict = get_verdict(reader);
  if (!verdict.failure.empty()) {
    throw Error("process " + std::to_string(process) + " on " + hosts_[static_cast<std::size_t>(process)],
                verdict.failure);
  }
  const std::span<const std::byte> rest = reader.get_bytes();
  return {rest.begin(), rest.end()};
}

void Team::end(int status) {
  const std::scoped_lock lock(mutex_);
  if (channel_ == nullptr && library_ == nullptr) return;  // it did not start
  channel();
  Bytes values;
  put(values, status);
  for (int process = 1; process < size(); ++process) {
    request(process, Request::end, 0, values);
    flush(process);
  }
  for (int process = 1; process < size(); ++process) channel_->receive(process);  // MPI itself waits without end
  channel_->finish();
}

std::optional<int> join_team(const Joined& joined) {
  if (!joined.as) return std::nullopt;
  team() = std::make_unique<Team>(*joined.as, joined.communicator);
  if (joined.as->rank == 0) return std::nullopt;
  // the first one answers to those who end a run, and tells the others
  for (const int request : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(request, SIG_IGN);
  return serve(*team());
}

void leave_team(int status) {
  if (team() != nullptr) team()->end(status);
}

int run_in_team(const std::function<int()>& command) {
  const Joined joined{launcher()};
  try {
    if (const std::optional<int> status = join_team(joined)) return *status;
  } catch (const Error&) {
    if (joined.as->rank > 0) return 1;  // the first one finds the same, and says so
    throw;
  }
  const int status = command();
  leave_team(status);
  return status;
}

}  // namespace hornbeam::processes
