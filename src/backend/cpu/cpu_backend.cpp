// SPDX-License-Identifier: Apache-2.0
// The CPU as a device: which instruction sets it has, and a backend that takes the precision load() asks for.
#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/pipeline.h"
#include "backend/precision_backend.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

bool runs_here(InstructionSet isa) {
#if defined(HORNBEAM_X86)
  if (isa == InstructionSet::avx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma");
  }
  if (isa == InstructionSet::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return isa == InstructionSet::generic;
}

std::string_view name_of(InstructionSet isa) {
  switch (isa) {
    case InstructionSet::avx512:
      return "AVX-512";
    case InstructionSet::avx2:
      return "AVX2";
    default:
      return "baseline";
  }
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "CPU";
}

std::string describe() { return processor_name() + ", " + std::string(name_of(detect_instruction_set())); }

class CpuBackend final : public PrecisionBackend {
 public:
  explicit CpuBackend(int threads) : threads_(threads), device_(describe()) { use(Precision::mixed); }

 private:
  [[nodiscard]] std::unique_ptr<Backend> make(Precision precision) const override {
    const InstructionSet isa = detect_instruction_set();
    if (precision == Precision::single) return single::make_pipeline(isa, threads_, device_);
    if (precision == Precision::fp64) return fp64::make_pipeline(isa, threads_, device_);
    return mixed::make_pipeline(isa, threads_, device_);
  }

  int threads_;
  std::string device_;
};

}  // namespace

InstructionSet detect_instruction_set() {
  const char* asked = std::getenv("HORNBEAM_ISA");
  if (asked != nullptr) {
    for (const InstructionSet isa : {InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512}) {
      constexpr std::string_view names[] = {"generic", "avx2", "avx512"};
      if (names[static_cast<int>(isa)] != asked) continue;
      if (!runs_here(isa)) throw NoDevice("HORNBEAM_ISA", std::string(asked) + " does not run on this machine");
      return isa;
    }
    throw UsageError("HORNBEAM_ISA", std::string(asked) + " is not an instruction set", "use generic, avx2 or avx512");
  }
  if (runs_here(InstructionSet::avx512)) return InstructionSet::avx512;
  return runs_here(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::generic;
}

DeviceInfo cpu_device() {
  DeviceInfo cpu;
  cpu.backend = "cpu";
  cpu.device = describe();
  cpu.threads = omp_get_num_procs();
  cpu.memory_bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  return cpu;
}

std::unique_ptr<Backend> open_cpu_backend(int threads) {
  return std::make_unique<CpuBackend>(threads > 0 ? threads : omp_get_num_procs());
}

}  // namespace hornbeam
