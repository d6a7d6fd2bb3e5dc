// SPDX-License-Identifier: Apache-2.0
// The table of what a backend keeps of each particle between load and store, in the order of the last sort. The stores
// are made of it (tree/host_particles.h, tree/device_tree.h); their bytes, what the sort does with each
// array and the memory plans go by its rows. What the host keeps: core/fields.h. Compiled once a precision.
#pragma once

#include <cstddef>

#include "physics/portable.h"
#include "tree/domain.h"

HB_OPEN

/// When a store holds a field.
enum class Held {
  always,
  velocities,  ///< where particles have them
  rounded,     ///< where the mass is rounded, and sums need all of its digits
  own_eps,     ///< where eps differs from particle to particle
  bodies,      ///< where particles collide
  spins,       ///< where bodies have them
  leaving,     ///< where particles may be taken out
  gas,         ///< where gas flows
  asks,        ///< where a module asks for steps
  materials,   ///< where it is of several
  softened,    ///< where it is softened by its H
  blocks,      ///< where it flows in block steps
  strained,    ///< where viscosity reconstructs velocities
  relative,    ///< by the relative criterion, after a walk
  rungs        ///< in block steps, once rungs are chosen
};

/// What becomes of a field when particles are sorted.
enum class Carried {
  by_key,     ///< it is sorted with the keys
  by_record,  ///< devices gather it with what else the tree is made of
  rest,       ///< it follows
  waiting,    ///< it follows in block steps: particles that do not walk yet keep theirs; others get new ones
  never       ///< it is made again
};

struct StoreRow {
  Held held;
  Carried carried;
  std::size_t bytes;  ///< of one value
};

/// ONE(type, name, held, carried): one array; SEVERAL(type, name, parts, held, carried): an array for each part.
///   mass_rest: what rounding has left of the mass, internal; body_mass: in the user's units and all its digits, as
///   momentum is to be kept; soft2: eps^2 / 2, internal; eps: in the user's units; acc: acceleration and potential,
///   internal; last: |a|, or demanded_pull(); input: index on input; rung: as held_rungs() makes them; before:
///   accelerations when each particle's step began; earlier: when the one before did; gone: 1 of the absorbed,
///   HB_GONE_OUTSIDE beyond the walls, until take_out(), else 0; origin: index that load() received. Of gas, in the
///   user's units: H, 0 of what is none; u, its rate and alpha; the divergence of the velocity and the signal speed of
///   the last evaluation; omega: grad-h; asked: the inverse of the longest step allowed, below 0 of what asks for none;
///   begun: when each particle's step of blocks did, in the shortest ones of the longest; pull: its acceleration; fall:
///   the same without the forces of gas, internal; span: how long each particle's step before was; u_rate, divergence,
///   signal, omega: 0 of what is no gas; material: place of its law among those of the module; zeta: of gas that is
///   softened by its H, docs/gas.md eq. 24, in squared lengths; stretch, shear: rates of strain of the last evaluation,
///   xx, yy, zz and yz, xz, xy
#define HB_STORE_FIELDS(ONE, SEVERAL)        \
  SEVERAL(pos_t, x, 3, always, by_record)    \
  SEVERAL(pos_t, v, 3, velocities, rest)     \
  ONE(real, mass, always, by_record)         \
  ONE(real, mass_rest, rounded, rest)        \
  ONE(real, soft2, always, never)            \
  ONE(real, eps, own_eps, rest)              \
  ONE(pos_t, radius, bodies, rest)           \
  ONE(pos_t, body_mass, bodies, rest)        \
  SEVERAL(pos_t, spin, 3, spins, rest)       \
  ONE(pos_t, smooth, gas, rest)              \
  ONE(pos_t, u, gas, rest)                   \
  ONE(pos_t, u_rate, gas, rest)              \
  ONE(pos_t, density, gas, rest)             \
  ONE(pos_t, alpha, gas, rest)               \
  ONE(pos_t, divergence, gas, rest)          \
  ONE(pos_t, signal, gas, rest)              \
  ONE(pos_t, omega, gas, rest)               \
  ONE(pos_t, asked, asks, never)             \
  ONE(u32, begun, gas, rest)                 \
  SEVERAL(pos_t, pull, 3, gas, rest)         \
  SEVERAL(real, fall, 3, blocks, rest)       \
  ONE(pos_t, span, blocks, rest)             \
  ONE(u32, material, materials, rest)        \
  ONE(pos_t, zeta, softened, rest)           \
  SEVERAL(pos_t, stretch, 3, strained, rest) \
  SEVERAL(pos_t, shear, 3, strained, rest)   \
  ONE(real, last, relative, rest)            \
  SEVERAL(real, acc, 4, always, waiting)     \
  ONE(u32, input, always, by_key)            \
  ONE(u32, rung, rungs, rest)                \
  SEVERAL(real, before, 3, rungs, rest)      \
  SEVERAL(real, earlier, 3, rungs, rest)     \
  ONE(u32, gone, leaving, never)             \
  ONE(u32, origin, leaving, rest)

/// Whether load() fills it.
inline bool is_loaded(Held held, const Holding& holding) {
  return held == Held::always || (held == Held::velocities && holding.velocities) ||
         (held == Held::rounded && holding.velocities && !holding.bodies && sizeof(real) < sizeof(pos_t)) ||
         (held == Held::own_eps && holding.own_eps) || (held == Held::bodies && holding.bodies) ||
         (held == Held::spins && holding.spins) || (held == Held::leaving && holding.leaving) ||
         (held == Held::gas && holding.gas) || (held == Held::asks && (holding.gas || holding.asks)) ||
         (held == Held::materials && holding.materials) || (held == Held::softened && holding.softened) ||
         (held == Held::blocks && holding.gas && holding.rungs) || (held == Held::strained && holding.strained);
}

/// Whether its values follow their particles when these are sorted.
inline bool follows(Carried carried, bool in_blocks) {
  return carried == Carried::by_record || carried == Carried::rest || (carried == Carried::waiting && in_blocks);
}

/// Calls act(row, array) for each array of a store, or act(row, array, same_array_of_another, ...) of several.
template <class Act, class... Store>
void for_each_array_of(const Act& act, Store&... stores) {
#define HB_STORE_ONE(type, name, held, carried) \
  act(StoreRow{Held::held, Carried::carried, sizeof(type)}, stores.name...);
#define HB_STORE_SEVERAL(type, name, parts, held, carried) \
  for (int k = 0; k < parts; ++k) act(StoreRow{Held::held, Carried::carried, sizeof(type)}, stores.name[k]...);
  HB_STORE_FIELDS(HB_STORE_ONE, HB_STORE_SEVERAL)
#undef HB_STORE_ONE
#undef HB_STORE_SEVERAL
}

/// Bytes a particle in the arrays for which counts(held).
template <class Counts>
double store_bytes(const Counts& counts) {
  double sum = 0;
#define HB_STORE_ONE(type, name, held, carried) sum += counts(Held::held) ? sizeof(type) : 0;
#define HB_STORE_SEVERAL(type, name, parts, held, carried) sum += counts(Held::held) ? parts * sizeof(type) : 0;
  HB_STORE_FIELDS(HB_STORE_ONE, HB_STORE_SEVERAL)
#undef HB_STORE_ONE
#undef HB_STORE_SEVERAL
  return sum;
}

/// Of an evaluation with these options, without what block steps add.
inline double evaluation_bytes(const GravityOptions& options, const Holding& holding) {
  const bool remembers = options.mac == Mac::relative || options.accuracy > 0;
  return store_bytes([&](Held held) { return is_loaded(held, holding) || (held == Held::relative && remembers); });
}

/// What block steps add.
inline double rung_bytes() {
  return store_bytes([](Held held) { return held == Held::rungs; });
}

HB_CLOSE
