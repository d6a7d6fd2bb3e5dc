// SPDX-License-Identifier: Apache-2.0
// The processes that a launcher has started for one run. The first one does what the program does otherwise; the others
// lend it their devices (worker.h), so that nothing above the device learns of them.
#pragma once

#include <unistd.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "device/devices.h"
#include "device/processes/channel.h"
#include "device/processes/launcher.h"
#include "device/processes/requests.h"

namespace hornbeam::processes {

class Team {
 public:
  /// Throws Error where no library of MPI is found, UsageError where HORNBEAM_PATIENCE is wrong.
  explicit Team(const Launcher& launcher, const void* communicator = nullptr)
      : launcher_(launcher),
        starter_(std::this_thread::get_id()),
        patience_(patience()),
        library_(open_mpi_library(launcher, communicator)) {}

  /// That of this process; null where it is alone.
  static Team* of_this_process();

  [[nodiscard]] int rank() const { return launcher_.rank; }
  [[nodiscard]] int size() const { return launcher_.size; }
  /// Whether this thread opens the devices of all processes. Others, which work beside a run, open their own alone.
  [[nodiscard]] bool is_for_this_thread() const { return std::this_thread::get_id() == starter_; }

  [[nodiscard]] Place place() const { return place_; }
  /// The note of a device that is not shared.
  [[nodiscard]] std::string note_of_one() const;

  /// Starts MPI at the first call, and returns when all processes have.
  Channel& channel();

  // of the first process
  /// Puts a request in line; values are its own. Lines go out when they are long, and by flush(). Nothing after end():
  /// devices may be closed later than that.
  void request(int process, Request what, DeviceNumber device, const Bytes& values);
  void flush(int process);
  /// The same of each process, sent at once.
  void request_of_all(Request what, DeviceNumber device, const Bytes& values);
  /// Flushes and waits for the answer to the last request. Throws Error, which names the process, where something that
  /// was requested of that device has failed.
  Bytes answer(int process);
  [[nodiscard]] DeviceNumber new_device() { return ++devices_; }
  [[nodiscard]] bool has_devices() const { return devices_ > 0; }
  /// One conversation at a time.
  [[nodiscard]] std::recursive_mutex& mutex() { return mutex_; }
  /// Ends the others with that exit status.
  void end(int status);

 private:
  void learn_places();
  /// Also in a fork of the process, where objects are destroyed as well.
  [[nodiscard]] bool is_over() const;

  Launcher launcher_;
  std::thread::id starter_;
  double patience_;                      ///< s
  std::unique_ptr<MpiLibrary> library_;  ///< until it has started
  std::unique_ptr<Channel> channel_;
  std::vector<std::string> hosts_;  ///< by process
  Place place_;
  std::vector<Bytes> lines_;  ///< by process
  DeviceNumber devices_ = 0;
  bool has_ended_ = false;
  pid_t process_ = getpid();
  std::recursive_mutex mutex_;
};

/// Runs a program: in the first of several processes `command`, in the others what that one requests of their devices.
/// Returns the exit status, which is that of the first in all of them. Throws what command() throws.
int run_in_team(const std::function<int()>& command);

/// What a launcher has started, or the processes of a communicator, and where its handle is.
struct Joined {
  std::optional<Launcher> as;
  const void* communicator = nullptr;
};
/// Returns in the first process, or where it is alone, with nothing, and otherwise once the first has left: its status.
std::optional<int> join_team(const Joined& joined);
/// Ends the others, in the first process.
void leave_team(int status);

}  // namespace hornbeam::processes
