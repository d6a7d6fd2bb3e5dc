// SPDX-License-Identifier: Apache-2.0
// The processes of one run, see team.h.
#include "device/processes/team.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

#include "core/forking.h"
#include "core/this_process.h"
#include "device/processes/worker.h"
#include "hornbeam/error.h"

namespace hornbeam::processes {
namespace {

constexpr std::size_t long_line = 16384;  ///< bytes

std::unique_ptr<Team>& team() {
  static std::unique_ptr<Team> ours;
  return ours;
}

}  // namespace

Team* Team::of_this_process() { return team().get(); }

bool Team::is_over() const { return has_ended_ || getpid() != process_; }

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
    forget_launcher();
  }
  return *channel_;
}

void Team::learn_places() {
  const std::string arguments = command_line();
  hosts_.assign(static_cast<std::size_t>(size()), host_name());
  std::string failure;
  if (rank() > 0) {
    Bytes own;
    put(own, hosts_.front());
    put(own, arguments);
    channel_->send(0, own);
    const Bytes all = channel_->receive(0);
    Reader reader(all);
    failure = reader.get_text();
    for (std::string& host : hosts_) host = reader.get_text();
  } else {
    for (int process = 1; process < size(); ++process) {
      const Bytes own = channel_->receive(process);
      Reader reader(own);
      hosts_[static_cast<std::size_t>(process)] = reader.get_text();
      if (reader.get_text() != arguments && failure.empty()) {
        failure = "process " + std::to_string(process) + " was started with other arguments than the first one";
      }
    }
    Bytes all;
    put(all, failure);
    for (const std::string& host : hosts_) put(all, host);
    for (int process = 1; process < size(); ++process) channel_->send(process, all);
  }
  if (!failure.empty()) {
    channel_->finish();
    channel_.reset();
    throw UsageError(launcher_.name, failure, "processes share one run: HORNBEAM_ALONE=1 starts a run for each");
  }
  const std::string& here = hosts_[static_cast<std::size_t>(rank())];
  place_ = {static_cast<int>(std::count(hosts_.begin(), hosts_.begin() + rank(), here)),
            static_cast<int>(std::count(hosts_.begin(), hosts_.end(), here))};
}

void Team::request(int process, Request what, DeviceNumber device, const Bytes& values) {
  if (is_over()) return;
  Bytes& line = lines_[static_cast<std::size_t>(process)];
  put(line, RequestHeader{what, device, values.size()});
  line.insert(line.end(), values.begin(), values.end());
  if (line.size() > long_line) flush(process);
}

void Team::flush(int process) {
  Bytes& line = lines_[static_cast<std::size_t>(process)];
  if (!line.empty() && !is_over()) channel_->send(process, std::exchange(line, {}));
}

void Team::request_of_all(Request what, DeviceNumber device, const Bytes& values) {
  for (int process = 1; process < size(); ++process) {
    request(process, what, device, values);
    flush(process);
  }
}

Bytes Team::answer(int process) {
  if (is_over()) throw Error("MPI", "has ended, or a fork of the first process uses it");
  flush(process);
  Bytes answer = channel_->receive(process);
  Reader reader(answer);
  const Verdict verdict = get_verdict(reader);
  if (!verdict.failure.empty()) {
    const std::string subject =
        "process " + std::to_string(process) + " on " + hosts_[static_cast<std::size_t>(process)];
    if (verdict.is_of_usage) throw UsageError(subject, verdict.failure);
    throw Error(subject, verdict.failure);
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
  request_of_all(Request::end, 0, values);
  for (int process = 1; process < size(); ++process) channel_->receive(process);  // MPI itself waits without end
  has_ended_ = true;
  channel_->finish();
}

std::string Team::note_of_one() const {
  return "the first of " + std::to_string(size()) +
         " processes computes alone: they share CUDA and OpenCL devices only (choose cuda or opencl, or start one "
         "process, which uses all cores)";
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
  } catch (const Error& error) {
    if (joined.as->rank == 0) throw;
    // the first one mostly finds the same, and has its own line
    std::fprintf(stderr, "hornbeam: process %d on %s: %s\n", joined.as->rank, host_name().c_str(), error.what());
    return dynamic_cast<const UsageError*>(&error) != nullptr ? 2 : 1;
  }
  const int status = command();
  leave_team(status);
  return status;
}

}  // namespace hornbeam::processes
