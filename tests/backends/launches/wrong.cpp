// SPDX-License-Identifier: Apache-2.0
// Launches with arguments that are missing, swapped or of another type: launches_test.cpp compiles this file and wants
// an error in each line marked `wrong`, and in no other. So each launch is on one line.
#include "interactions/gravity/kernels/launches.h"

namespace hornbeam::mixed {

struct Given {
  WalkOptions options;
  GroupWalkOptions walk;
  i32 shares, n;
  i64 many;
  double factor;
  Buffer buffer;
  DeviceArray<real> parts, mass, acc[4], vectors[3];
  DeviceArray<pos_t> x[3], v[3];
  DeviceArray<i32> picks;
  DeviceArray<u32> counts;
  const DeviceArray<i32>* due;
  ParticleArrays particles;
  CellArrays cells;
};

// clang-format off
using namespace kernels;

sum_direct right(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.parts, .particles = g.particles}; }
sum_direct first_missing(Given& g) { return {.walk = g.walk, .shares = g.shares, .parts = g.parts, .particles = g.particles}; }  // wrong
sum_direct value_missing(Given& g) { return {.options = g.options, .walk = g.walk, .parts = g.parts, .particles = g.particles}; }  // wrong
sum_direct array_missing(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .particles = g.particles}; }  // wrong
sum_direct view_missing(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.parts}; }  // wrong
sum_direct structures_swapped(Given& g) { return {.options = g.walk, .walk = g.options, .shares = g.shares, .parts = g.parts, .particles = g.particles}; }  // wrong
sum_direct members_swapped(Given& g) { return {.walk = g.walk, .options = g.options, .shares = g.shares, .parts = g.parts, .particles = g.particles}; }  // wrong
sum_direct by_position_swapped(Given& g) { return {g.options, g.walk, g.parts, g.shares, g.particles}; }  // wrong
sum_direct one_too_many(Given& g) { return {g.options, g.walk, g.shares, g.parts, g.particles, g.cells}; }  // wrong
sum_direct number_too_wide(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.many, .parts = g.parts, .particles = g.particles}; }  // wrong
sum_direct number_for_array(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.shares, .particles = g.particles}; }  // wrong
sum_direct cells_for_particles(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.parts, .particles = g.cells}; }  // wrong
sum_direct untyped(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.buffer, .particles = g.particles}; }  // wrong
sum_direct typed_now(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.buffer.as<real>(), .particles = g.particles}; }
sum_direct typed_otherwise(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = g.buffer.as<pos_t>(), .particles = g.particles}; }  // wrong
sum_direct null_for_array(Given& g) { return {.options = g.options, .walk = g.walk, .shares = g.shares, .parts = nullptr, .particles = g.particles}; }  // wrong

scale_reals right_reals(Given& g) { return {.values = g.mass, .factor = real{2}, .times = 1, .n = g.n}; }
scale_reals positions_for_reals(Given& g) { return {.values = g.x[0], .factor = real{2}, .times = 1, .n = g.n}; }  // wrong
scale_reals double_for_real(Given& g) { return {.values = g.mass, .factor = g.factor, .times = 1, .n = g.n}; }  // wrong
scale_reals integer_for_real(Given& g) { return {.values = g.mass, .factor = 2, .times = 1, .n = g.n}; }  // wrong
scale_reals unsigned_for_signed(Given& g) { return {.values = g.mass, .factor = real{2}, .times = 1u, .n = g.n}; }  // wrong

kick_particles right_vectors(Given& g) { return {.acc = g.acc, .n = g.n, .step = g.factor, .velocity = g.v}; }
kick_particles vectors_swapped(Given& g) { return {.acc = g.v, .n = g.n, .step = g.factor, .velocity = g.acc}; }  // wrong
kick_particles one_for_three(Given& g) { return {.acc = g.acc, .n = g.n, .step = g.factor, .velocity = g.v[0]}; }  // wrong

add_shares all_right(Given& g) { return {.walk = g.walk, .image = 0, .targets = g.n, .shares = g.shares, .picks = nullptr, .parts = g.parts, .mass = g.mass, .soft2 = g.mass, .acc = g.acc}; }
add_shares some_right(Given& g) { return {.walk = g.walk, .image = 0, .targets = g.n, .shares = g.shares, .picks = g.due, .parts = g.parts, .mass = g.mass, .soft2 = g.mass, .acc = g.acc}; }
add_shares no_potential(Given& g) { return {.walk = g.walk, .image = 0, .targets = g.n, .shares = g.shares, .picks = g.due, .parts = g.parts, .mass = g.mass, .soft2 = g.mass, .acc = g.vectors}; }  // wrong
add_shares other_integers(Given& g) { return {.walk = g.walk, .image = 0, .targets = g.n, .shares = g.shares, .picks = g.counts, .parts = g.parts, .mass = g.mass, .soft2 = g.mass, .acc = g.acc}; }  // wrong
add_shares optional_missing(Given& g) { return {.walk = g.walk, .image = 0, .targets = g.n, .shares = g.shares, .parts = g.parts, .mass = g.mass, .soft2 = g.mass, .acc = g.acc}; }  // wrong
widen_reals read_only_written(Given& g, ArrayArgument<const pos_t> to) { return {.from = g.mass, .begin = 0, .count = g.n, .to = to}; }  // wrong
// clang-format on

}  // namespace hornbeam::mixed
