// SPDX-License-Identifier: Apache-2.0
// What is used of MPI, whichever implementation the launcher belongs to. The library is opened at run time, since no
// two families of them have the same ABI: a program that is linked with one does not run under the other's mpirun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/processes/launcher.h"

namespace hornbeam::processes {

/// Calls of MPI; one thread at a time. MPI itself ends all processes where one of its calls fails.
class MpiLibrary {
 public:
  /// A message on its way.
  using Transfer = std::uintptr_t;

  MpiLibrary() = default;
  virtual ~MpiLibrary() = default;
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;

  /// Returns when all processes have called it. Throws Error where MPI does not know of those that the launcher
  /// started.
  virtual void start(const Launcher& launcher) = 0;
  [[nodiscard]] virtual int rank() = 0;
  [[nodiscard]] virtual int size() = 0;
  /// Memory stays in use until is_done(). Messages of a pair of processes with one tag arrive in order.
  virtual Transfer begin_send(const void* from, int bytes, int to, int tag) = 0;
  /// bytes: at least those that come.
  virtual Transfer begin_receive(void* to, int bytes, int from, int tag) = 0;
  /// Not to be called again once true.
  virtual bool is_done(Transfer& transfer) = 0;
  /// Returns when all processes have called it. MPI goes on where it had started before.
  virtual void finish() = 0;
  [[noreturn]] virtual void abort(int status) = 0;
};

/// Throws Error where no library of MPI is found. HORNBEAM_MPI names one to take, otherwise it is one that the process
/// has loaded already, or the launcher's. communicator: where the handle of one is, as mpi4py has it; null: all that
/// the launcher has started.
std::unique_ptr<MpiLibrary> open_mpi_library(const Launcher& launcher, const void* communicator = nullptr);

}  // namespace hornbeam::processes
