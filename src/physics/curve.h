// SPDX-License-Identifier: Apache-2.0
// Space-filling curves: from integer coordinates to 63-bit keys of 21 levels. Between bound and sort.
#ifndef HORNBEAM_PHYSICS_CURVE_H
#define HORNBEAM_PHYSICS_CURVE_H
#include "physics/portable.h"
#if !defined(__OPENCL_VERSION__)
#include <array>
#include <vector>
#endif
HB_OPEN

#define HB_LEVELS 21
#define HB_CURVE_HILBERT 0
#define HB_CURVE_MORTON 1

/// Coordinate on the grid of 2^21 cells an axis; positions outside the key cube are clamped to its faces.
HB_FN u32 grid_coordinate(pos_t x, pos_t low, pos_t cells_per_length) {
  const pos_t top = (pos_t)((1 << HB_LEVELS) - 1);
  const pos_t t = (x - low) * cells_per_length;
  return (u32)(i32)(t < 0 ? 0 : (t > top ? top : t));
}

/// The 11 low bits of v moved apart so that bit i is at 3 i.
HB_FN u32 spread_bits(u32 v) {
  u32 x = v & 0x7ffu;
  x = (x | (x << 16)) & 0x070000ffu;
  x = (x | (x << 8)) & 0x0700f00fu;
  x = (x | (x << 4)) & 0x430c30c3u;
  x = (x | (x << 2)) & 0x49249249u;
  return x;
}

/// Interleaves the 21 bits of each, from the highest of x to the lowest of z. It takes ten and eleven at a time, since
/// words of 32 bits cost a GPU half the instructions of words of 64.
HB_FN u64 interleave(u32 x, u32 y, u32 z) {
  const u32 low = (spread_bits(x & 0x3ffu) << 2) | (spread_bits(y & 0x3ffu) << 1) | spread_bits(z & 0x3ffu);
  const u64 high = ((u64)spread_bits(x >> 10) << 2) | ((u64)spread_bits(y >> 10) << 1) | spread_bits(z >> 10);
  return (high << 30) | low;
}

/// All bits where bit `level` of v is set, none elsewhere.
HB_WORD_FORMULA u32 bit_mask(u32 v, i32 level) { return -((v >> level) & 1); }

/// Turns grid coordinates into the transposed Hilbert index: its bits, interleaved, are the key (Skilling 2004,
/// "Programming the Hilbert curve", axes to transpose; written without branches).
HB_WORD_FORMULA void hilbert_transpose(u32* x, u32* y, u32* z) {
  for (i32 level = HB_LEVELS - 1; level > 0; --level) {
    const i32 low = (1 << level) - 1;
    // where the bit of an axis is set, the low bits of x are inverted; else those of x and the axis are exchanged
    *x ^= bit_mask(*x, level) & low;
    const u32 y_set = bit_mask(*y, level);
    const u32 y_swap = (*x ^ *y) & low & ~y_set;
    *x ^= (y_set & low) | y_swap;
    *y ^= y_swap;
    const u32 z_set = bit_mask(*z, level);
    const u32 z_swap = (*x ^ *z) & low & ~z_set;
    *x ^= (z_set & low) | z_swap;
    *z ^= z_swap;
  }
  *y ^= *x;
  *z ^= *y;
  u32 t = *z >> 1;  // bit i becomes the parity of all bits of z above i
  for (i32 step = 1; step < HB_LEVELS; step *= 2) t ^= t >> step;
  *x ^= t;
  *y ^= t;
  *z ^= t;
}

/// Key along the Hilbert curve; consecutive keys are neighbouring grid cells.
HB_FN u64 hilbert_key(u32 x, u32 y, u32 z) {
  hilbert_transpose(&x, &y, &z);
  return interleave(x, y, z);
}

HB_FN u64 curve_key(i32 curve, u32 x, u32 y, u32 z) {
  return curve == HB_CURVE_HILBERT ? hilbert_key(x, y, z) : interleave(x, y, z);
}

/// The curve as an automaton, which takes a device fewer instructions: a step from a cell to one of its children shows
/// the child's orientation and digit, 8 * orientation + digit. Hilbert's curve has 24 orientations.
#define HB_CURVE_STEPS (24 * 8)
/// Place of the step to the child `octant` (4 x + 2 y + z) after the step to the cell itself, 0 for the root.
HB_FN u32 curve_place(u32 step, u32 octant) { return (step & ~7u) | octant; }

/// Octant (0 to 7 along the curve) of a key below a cell of the given level.
HB_FN i32 key_octant(u64 key, i32 level) { return (i32)((key >> (3 * (HB_LEVELS - 1 - level))) & 7u); }

#if !defined(__OPENCL_VERSION__)
/// All steps of a curve, by curve_place(). Orientations are found one after the other, from the root's, and known by
/// the digits of their eight children.
inline std::array<u8, HB_CURVE_STEPS> curve_steps(i32 curve) {
  struct Cell {
    u32 x, y, z;
    i32 level;
    u64 digits;  ///< those of its children, four bits each
  };
  const auto child_of = [](const Cell& cell, u32 octant) {
    return Cell{2 * cell.x + octant / 4, 2 * cell.y + octant / 2 % 2, 2 * cell.z + octant % 2, cell.level + 1, 0};
  };
  const auto digit_of = [&](const Cell& c) {  // among its siblings
    const i32 below = HB_LEVELS - c.level;
    return static_cast<u64>(key_octant(curve_key(curve, c.x << below, c.y << below, c.z << below), c.level - 1));
  };
  const auto with_digits = [&](Cell cell) {
    for (u32 octant = 0; octant < 8; ++octant) cell.digits |= digit_of(child_of(cell, octant)) << (4 * octant);
    return cell;
  };
  std::vector<Cell> cells = {with_digits({0, 0, 0, 0, 0})};  // one of each orientation
  std::array<u8, HB_CURVE_STEPS> steps{};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (u32 octant = 0; octant < 8; ++octant) {
      const Cell child = with_digits(child_of(cells[i], octant));
      std::size_t k = 0;
      while (k < cells.size() && cells[k].digits != child.digits) ++k;
      if (k == cells.size()) cells.push_back(child);
      steps.at(8 * i + octant) = static_cast<u8>(8 * k + digit_of(child));
    }
  }
  return steps;
}
#endif

HB_CLOSE
#endif
