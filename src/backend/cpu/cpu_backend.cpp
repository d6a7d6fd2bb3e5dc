// SPDX-License-Identifier: Apache-2.0
// The CPU as a device: which instruction sets it has, and a backend that takes the precision load() asks for.
#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/pipeline.h"
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

/// A pipeline of the precision that the last load() asked for, kept as long as that stays: memory that the system has
/// already given is faster than new.
class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(int threads) : threads_(threads), device_(describe()) { make(Precision::mixed); }

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::string device() const override { return device_; }
  [[nodiscard]] int threads() const override { return threads_; }
  void load(const Particles& particles, const GravityOptions& options) override {
    make(options.precision);
    pipeline_->load(particles, options);
  }
  void build_tree() override { pipeline_->build_tree(); }
  void walk() override { pipeline_->walk(); }
  void kick(double dt) override { pipeline_->kick(dt); }
  void drift(double dt) override { pipeline_->drift(dt); }
  Energies energies() override { return pipeline_->energies(); }
  void store(Particles& particles) override { pipeline_->store(particles); }
  void restore(const Particles& particles) override { pipeline_->restore(particles); }
  [[nodiscard]] const GravityOptions& options() const override { return pipeline_->options(); }
  [[nodiscard]] const StageSeconds& seconds() const override { return pipeline_->seconds(); }
  [[nodiscard]] Interactions interactions() const override { return pipeline_->interactions(); }
  [[nodiscard]] Bytes bytes() const override { return pipeline_->bytes(); }

 private:
  void make(Precision precision) {
    if (pipeline_ && precision == precision_) return;
    precision_ = precision;
    const InstructionSet isa = detect_instruction_set();
    switch (precision) {
      case Precision::mixed:
        pipeline_ = mixed::make_pipeline(isa, threads_, device_);
        break;
      case Precision::single:
        pipeline_ = single::make_pipeline(isa, threads_, device_);
        break;
      case Precision::fp64:
        pipeline_ = fp64::make_pipeline(isa, threads_, device_);
        break;
    }
  }

  int threads_;
  std::string device_;
  Precision precision_ = Precision::mixed;
  std::unique_ptr<Backend> pipeline_;
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

std::unique_ptr<Backend> open_cpu_backend(int device, int threads) {
  if (device != 0) throw NoDevice("device = " + std::to_string(device), "the CPU is device 0", "leave device out");
  return std::make_unique<CpuBackend>(threads > 0 ? threads : omp_get_num_procs());
}

}  // namespace hornbeam
