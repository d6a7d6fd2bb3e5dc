// SPDX-License-Identifier: Apache-2.0
// What launchers leave in the environment, see launcher.h.
#include "device/processes/launcher.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace hornbeam::processes {
namespace {

/// Names of the library, by who made it: Open MPI 4 and 5; MPICH, Intel MPI, Cray MPICH and MVAPICH; the standard's
/// own from MPI 5 on.
const std::vector<std::string> open_mpi{"libmpi.so.40"};
const std::vector<std::string> mpich{"libmpi.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0"};

/// Variables of a launcher: those with the number of processes and of this one.
struct Variables {
  const char *launcher, *size, *rank;
  bool open_mpi_first;
};
// Open MPI's mpirun within a job of Slurm sets its own besides Slurm's, which also srun's children have alone.
constexpr Variables known[]{{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", true},
                            {"mpiexec", "PMI_SIZE", "PMI_RANK", false},
                            {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", true}};

/// The number that a variable has; -1: none.
int number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return -1;
  int number = -1;
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, number);
  return error == std::errc() && stopped == end ? number : -1;
}

std::vector<std::string> libraries(bool open_mpi_first) {
  std::vector<std::string> all = open_mpi_first ? open_mpi : mpich;
  const std::vector<std::string>& others = open_mpi_first ? mpich : open_mpi;
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

std::optional<Launcher> launcher() {
  const char* const alone = std::getenv("HORNBEAM_ALONE");
  if (alone != nullptr && std::strcmp(alone, "1") == 0) return std::nullopt;
  for (const Variables& some : known) {
    const int size = number(some.size), rank = number(some.rank);
    if (size < 2 || rank < 0 || rank >= size) continue;
    return Launcher{some.launcher, rank, size, libraries(some.open_mpi_first)};
  }
  return std::nullopt;
}

void forget_launcher() {
  for (const Variables& some : known) unsetenv(some.size);
}

Launcher launched_as(int rank, int size) { return {"MPI", rank, size, libraries(true)}; }

}  // namespace hornbeam::processes
