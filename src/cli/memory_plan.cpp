// SPDX-License-Identifier: Apache-2.0
// Needs of commands by purpose, see memory_plan.h. tests/cli/test_memory.py compares them with what the system counts.
#include "cli/memory_plan.h"

#include "analysis/disc/disc_frame.h"

namespace hornbeam::cli {
namespace {

memory::Need evaluation_need(const GravityOptions& gravity, const Holding& holding) {
  return open_system("cpu", 0, 0).host_need(gravity, holding);
}

}  // namespace

memory::Need force_need(const ParticleSystem& system, const GravityOptions& gravity, const ForceOutputs& outputs,
                        std::uint64_t n, bool own_eps) {
  const memory::Need nothing, check = memory::direct_check(n, static_cast<std::uint64_t>(outputs.check));
  const memory::Need file = memory::Need{{"forces", memory::force_bytes + memory::eps_bytes}} + memory::writing();
  return system.host_need(gravity, {.own_eps = own_eps}) +
         memory::larger(n, outputs.check > 0 ? check : nothing, outputs.file ? file : nothing);
}

memory::Need radial_need() {
  constexpr double body = sizeof(Vec3) + sizeof(double);
  return {{"copy to measure", memory::particle_bytes + memory::eps_bytes}, {"order by radius", body + sizeof(double)}};
}

memory::Need disc_need() {
  GravityOptions gravity;
  return evaluation_need(gravity, {.velocities = true, .own_eps = true}) +
         memory::Need{{"copy with forces", memory::particle_bytes + memory::eps_bytes + 2 * memory::force_bytes},
                      {"stars of the disc", sizeof(analysis::DiscStar) + sizeof(std::size_t)}};
}

memory::Need energy_need() {
  GravityOptions gravity;
  gravity.precision = Precision::fp64;
  return evaluation_need(gravity, {.velocities = true, .own_eps = true});
}

}  // namespace hornbeam::cli
