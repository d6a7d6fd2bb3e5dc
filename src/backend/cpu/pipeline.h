// SPDX-License-Identifier: Apache-2.0
// The particle's path on the CPU in one precision: owns the arrays and runs the stages in order.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "device/host/instruction_set.h"

namespace hornbeam {

// One pipeline a precision, the same source compiled three times (pipeline.cpp).
namespace mixed {
std::unique_ptr<Backend> make_pipeline(InstructionSet isa, int threads, const std::string& device);
}
namespace single {
std::unique_ptr<Backend> make_pipeline(InstructionSet isa, int threads, const std::string& device);
}
namespace fp64 {
std::unique_ptr<Backend> make_pipeline(InstructionSet isa, int threads, const std::string& device);
/// Accelerations and potentials (count, 4) of particles `which` of `all` by direct summation; options: eps, softening,
/// G.
void sum_directly(InstructionSet isa, int threads, const Particles& all, const std::vector<std::size_t>& which,
                  const GravityOptions& options, std::vector<std::array<double, 4>>& acc);
}  // namespace fp64

}  // namespace hornbeam
