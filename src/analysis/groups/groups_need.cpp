// SPDX-License-Identifier: Apache-2.0
// The account of groups.cpp, unbinding.cpp and group_properties.cpp, see groups_need.h. tests/cli/test_memory.py
// compares it with what the system counts.
#include "analysis/groups/groups_need.h"

#include "dynamics/particle_system.h"
#include "interactions/groups/friends.h"
#include "memory/particles.h"

namespace hornbeam::analysis {
namespace {

constexpr double word = sizeof(std::uint32_t), number = sizeof(double);

/// If all particles are of one group: separations, potentials and energies of its members, and an evaluation of them.
memory::Need unbinding_need(const GroupOptions& options) {
  const memory::Need own = {{"energies of members", word + 2 * sizeof(Vec3) + 3 * number + 1},
                            {"members as particles", memory::particle_bytes + memory::eps_bytes + memory::force_bytes}};
  const GravityOptions gravity;
  return own + open_system("cpu", 0, options.threads).host_need(gravity, {.own_eps = true});
}

}  // namespace

memory::Need groups_need(std::uint64_t n, const GroupOptions& options) {
  const memory::Need all = {{"positions in the box", sizeof(Vec3)}, {"labels and members", 4 * word}};
  const memory::Need by_family = {
      {"positions of primary families and others", 2 * sizeof(Vec3) + 3 * word + 2 * number}};
  const memory::Need stays = options.primary.empty() ? all : all + by_family;
  const memory::Need linking = friends_need(options.leaf_size);
  const memory::Need measuring = {{"distances of members", sizeof(Vec3) + 6 * number}};
  const memory::Need after = options.unbind ? memory::larger(n, unbinding_need(options), measuring) : measuring;
  const memory::Need halos = linking + memory::Need{{"spheres about groups", sizeof(Vec3) + 3 * number + 2 * word}};
  return stays + memory::larger(n, halos, after) + memory::Need{{"catalogue's file", 0, memory::file_buffers}};
}

}  // namespace hornbeam::analysis
