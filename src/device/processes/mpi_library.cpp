// SPDX-License-Identifier: Apache-2.0
// Three ABIs of one interface, see mpi_library.h.
#include "device/processes/mpi_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>

#include "hornbeam/error.h"

namespace hornbeam::processes {
namespace {

/// What differs: handles are pointers (Open MPI, and the standard's ABI of MPI 5) or integers (MPICH's family).
template <class Handle>
struct Abi {
  Handle world, byte;
  void* no_status;
  int serialized;  ///< MPI_THREAD_SERIALIZED
};

template <class Handle>
class MpiOf final : public MpiLibrary {
 public:
  MpiOf(void* library, const Abi<Handle>& abi, const void* communicator) : abi_(abi) {
    if (communicator != nullptr) std::memcpy(&abi_.world, communicator, sizeof(Handle));
    find(library, "MPI_Initialized", initialized_);
    find(library, "MPI_Init_thread", init_);
    find(library, "MPI_Comm_rank", rank_);
    find(library, "MPI_Comm_size", size_);
    find(library, "MPI_Isend", send_);
    find(library, "MPI_Irecv", receive_);
    find(library, "MPI_Test", test_);
    find(library, "MPI_Finalize", finalize_);
    find(library, "MPI_Abort", abort_);
  }

  void start(const Launcher& launcher) override {
    int was_started = 0, provided = 0;
    initialized_(&was_started);
    is_ours_ = was_started == 0;
    if (is_ours_) init_(nullptr, nullptr, abi_.serialized, &provided);
    if (const int known = size(); known != launcher.size) {
      finish();
      throw Error("MPI",
                  launcher.name + " has started " + std::to_string(launcher.size) +
                      " processes, of which MPI's library knows " + std::to_string(known),
                  "name the launcher's own library by HORNBEAM_MPI, or let srun use PMIx");
    }
  }
  int rank() override {
    int rank = 0;
    rank_(abi_.world, &rank);
    return rank;
  }
  int size() override {
    int size = 0;
    size_(abi_.world, &size);
    return size;
  }
  Transfer begin_send(const void* from, int bytes, int to, int tag) override {
    Handle request{};
    send_(from, bytes, abi_.byte, to, tag, abi_.world, &request);
    return of(request);
  }
  Transfer begin_receive(void* to, int bytes, int from, int tag) override {
    Handle request{};
    receive_(to, bytes, abi_.byte, from, tag, abi_.world, &request);
    return of(request);
  }
  bool is_done(Transfer& transfer) override {
    Handle request = handle(transfer);
    int done = 0;
    test_(&request, &done, abi_.no_status);
    transfer = of(request);
    return done != 0;
  }
  void finish() override {
    if (is_ours_) finalize_();
  }
  [[noreturn]] void abort(int status) override {
    abort_(abi_.world, status);
    std::_Exit(status);
  }

 private:
  static Transfer of(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
      return reinterpret_cast<Transfer>(handle);
    } else {
      return static_cast<Transfer>(static_cast<unsigned>(handle));
    }
  }
  static Handle handle(Transfer transfer) {
    if constexpr (std::is_pointer_v<Handle>) {
      return reinterpret_cast<Handle>(transfer);  // NOLINT(performance-no-int-to-ptr)
    } else {
      return static_cast<Handle>(transfer);
    }
  }
  template <class Function>
  static void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (function == nullptr) throw Error("MPI", std::string("its library has no ") + name, "install another one");
  }

  Abi<Handle> abi_;
  bool is_ours_ = false;  ///< started here
  int (*initialized_)(int*);
  int (*init_)(int*, char***, int, int*);
  int (*rank_)(Handle, int*);
  int (*size_)(Handle, int*);
  int (*send_)(const void*, int, Handle, int, int, Handle, Handle*);
  int (*receive_)(void*, int, Handle, int, int, Handle, Handle*);
  int (*test_)(Handle*, int*, void*);
  int (*finalize_)();
  int (*abort_)(Handle, int);
};

/// The handles of predefined things: Open MPI exports them, the others fix their values (MPICH's mpi.h; MPI 5, A.1.2).
std::unique_ptr<MpiLibrary> of_its_abi(void* library, const std::string& name, const void* communicator) {
  if (void* const world = dlsym(library, "ompi_mpi_comm_world")) {
    return std::make_unique<MpiOf<void*>>(library, Abi<void*>{world, dlsym(library, "ompi_mpi_byte"), nullptr, 2},
                                          communicator);
  }
  if (name.find("mpi_abi") != std::string::npos) {
    const Abi<void*> abi{reinterpret_cast<void*>(0x101), reinterpret_cast<void*>(0x247), nullptr, 2048};
    return std::make_unique<MpiOf<void*>>(library, abi, communicator);
  }
  const Abi<int> abi{0x44000000, 0x4c00010d, reinterpret_cast<void*>(1), 2};
  return std::make_unique<MpiOf<int>>(library, abi, communicator);
}

/// The folder of libraries beside that of mpiexec, for an installation that the linker does not know; empty: none.
std::filesystem::path beside_launcher() {
  const char* const path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t at = 0; at < folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::filesystem::path folder = folders.substr(at, end - at);
    std::error_code none;
    if (std::filesystem::exists(folder / "mpiexec", none)) return folder.parent_path() / "lib";
    at = end + 1;
  }
  return {};
}

/// Open MPI's own plugins look for its symbols among all that are loaded.
void* open_library(const std::string& name, int only = 0) {
  return dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE | only);
}

}  // namespace

std::unique_ptr<MpiLibrary> open_mpi_library(const Launcher& launcher, const void* communicator) {
  if (const char* const named = std::getenv("HORNBEAM_MPI"); named != nullptr && *named != '\0') {
    if (void* const library = open_library(named)) return of_its_abi(library, named, communicator);
    throw UsageError("HORNBEAM_MPI = " + std::string(named), std::string("cannot be opened: ") + dlerror());
  }
  for (const std::string& name : launcher.libraries) {
    if (void* const library = open_library(name, RTLD_NOLOAD)) return of_its_abi(library, name, communicator);
  }
  const std::filesystem::path beside = beside_launcher();
  for (const std::string& name : launcher.libraries) {
    for (const std::string& place : {beside.empty() ? name : (beside / name).string(), name}) {
      if (void* const library = open_library(place)) return of_its_abi(library, name, communicator);
    }
  }
  std::string names;
  for (const std::string& name : launcher.libraries) names += (names.empty() ? "" : ", ") + name;
  throw Error("MPI",
              launcher.name + " has started " + std::to_string(launcher.size) +
                  " processes, and no library of MPI is found: " + names,
              "install that of the launcher, name it by HORNBEAM_MPI, or start one process");
}

}  // namespace hornbeam::processes
