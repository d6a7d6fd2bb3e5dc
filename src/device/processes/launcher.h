// SPDX-License-Identifier: Apache-2.0
// Who has started this process, as the environment says: mpirun, mpiexec and srun number what they start.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hornbeam::processes {

struct Launcher {
  std::string name;
  int rank = 0, size = 1;
  std::vector<std::string> libraries;  ///< of MPI that it goes with, the likeliest first
};

/// None where one process was started by itself, or each is to work alone (HORNBEAM_ALONE=1).
std::optional<Launcher> launcher();

/// Lets programs that this process starts run alone; once MPI has started.
void forget_launcher();

/// Of the processes of a communicator, as mpi4py numbers them.
Launcher launched_as(int rank, int size);

}  // namespace hornbeam::processes
