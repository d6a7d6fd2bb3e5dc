// SPDX-License-Identifier: Apache-2.0
// bound: the cube that the keys divide. First of the tree's stages. A backend finds least and largest coordinates and
// counts coordinates in bins; what follows from these is decided here, and depends on the set of particles only.
#ifndef HORNBEAM_STAGES_BOUND_H
#define HORNBEAM_STAGES_BOUND_H
#include "stages/key.h"
HB_OPEN

#define HB_BOUND_BINS 1024

/// Bin of coordinate x; those outside go to the outermost, and what is no number to the first. scale: HB_BOUND_BINS /
/// length of the interval.
HB_FN i32 bound_bin(pos_t x, pos_t low, pos_t scale) {
  const pos_t t = (x - low) * scale;
  return !(t > 0) ? 0 : (t >= HB_BOUND_BINS - 1 ? HB_BOUND_BINS - 1 : (i32)t);
}

/// Bins per length of the interval [low, high]; 0 where it is too narrow to be divided.
HB_FN pos_t bin_scale(pos_t low, pos_t high) {
  const pos_t scale = HB_BOUND_BINS / (high - low);
  return scale - scale == 0 ? scale : 0;  // infinite where the width is nothing, or nearly
}

/// The bins of each axis; scale 0: the axis is not counted.
typedef struct {
  pos_t low[3], scale[3];
} BoundBins;

/// What a device finds: the box of all, least x, y, z, then largest; the axes of a round and its counts, those of axis
/// k at bins[k HB_BOUND_BINS].
typedef struct {
  pos_t box[6];
  BoundBins axes;
  u32 bins[3 * HB_BOUND_BINS];
} BoundReport;

#if !defined(__OPENCL_VERSION__)
struct Interval {
  pos_t low, high;
};

/// Narrows `range` to the bins that hold all but `outside` particles at either end. True: go on and count again,
/// because one outlier still decides the size of the bins. Where positions do not resolve the bins, to a point.
inline bool narrow(Interval& range, const u32* bins, i32 outside) {
  int first = 0, last = HB_BOUND_BINS - 1;
  const u32 most = static_cast<u32>(outside);
  for (u32 seen = bins[first]; seen <= most && first < last; seen += bins[++first]) {
  }
  for (u32 seen = bins[last]; seen <= most && last > first; seen += bins[--last]) {
  }
  const pos_t width = (range.high - range.low) / HB_BOUND_BINS;
  const Interval inner = {range.low + first * width, range.low + (last + 1) * width};
  range = inner;
  if (!(inner.high > inner.low)) return false;
  return last - first <= HB_BOUND_BINS / 16;
}

/// Least number of particles for which outliers are looked for, rounds of counting at most, and how many particles may
/// lie outside at either end.
inline constexpr i32 least_bound_count = 32;
inline constexpr int most_bound_rounds = 20;
inline i32 outliers_of(i32 n) { return (n + 1999) / 2000; }

/// Particles that lie this many times farther out than the inner ones are clamped.
inline constexpr pos_t clamp_factor = 4;

/// Returns the interval of `whole` that the key cube covers, from the inner one. It is a point if the inner one
/// vanishes compared with `whole`, as coincident particles would be narrowed without end.
inline Interval without_outliers(Interval whole, Interval inner) {
  if (inner.high - inner.low <= (whole.high - whole.low) * pos_t(0x1p-100)) return {inner.low, inner.low};
  const pos_t middle = inner.low + (inner.high - inner.low) / 2, half = clamp_factor * (inner.high - middle);
  return {hb_max(whole.low, middle - half), hb_min(whole.high, middle + half)};
}

/// Edge of the smallest cube: its cells, and the square of the internal unit, stay inside the range of pos_t.
inline constexpr pos_t least_edge = static_cast<pos_t>(sizeof(pos_t) == 8 ? 1e-140 : 1e-30);
/// Particles that span less, but not nothing, are lost in such a cube: their squared distances leave the range of fp32,
/// or their positions have fewer digits.
inline constexpr pos_t least_extent = static_cast<pos_t>(sizeof(pos_t) == 8 ? 1e-150 : 1e-32);

inline pos_t longest_edge(const Interval (&box)[3]) {
  pos_t longest = 0;
  for (const Interval& b : box) longest = hb_max(longest, b.high - b.low);
  return longest;
}

/// What positions in a box are resolved to, and somewhat more.
inline pos_t resolved_in(const Interval (&box)[3]) {
  constexpr pos_t rounding = sizeof(pos_t) == 8 ? pos_t(0x1p-52) : pos_t(0x1p-23);
  pos_t size = 0;
  for (const Interval& b : box) size = hb_max(size, hb_max(hb_abs(b.low), hb_abs(b.high)));
  return size * rounding * 4;
}

/// The cube about a box; whole: the box of all particles, which takes its place where all in the box are at one point.
inline KeyCube cube_around(const Interval (&inner)[3], const Interval (&whole)[3]) {
  const Interval(&box)[3] = longest_edge(inner) > resolved_in(inner) ? inner : whole;
  constexpr pos_t rounding = sizeof(pos_t) == 8 ? pos_t(0x1p-52) : pos_t(0x1p-23);
  KeyCube cube{};
  cube.extent = longest_edge(whole);
  // all at one point, or closer than positions are resolved: any cube will do
  cube.edge = hb_max(longest_edge(box), resolved_in(box));
  if (!(cube.edge > 0)) cube.edge = 1;
  cube.edge = hb_max(cube.edge, least_edge);
  cube.edge *= pos_t(1) + 64 * rounding;
  cube.x = box[0].low + (box[0].high - box[0].low) / 2 - cube.edge / 2;
  cube.y = box[1].low + (box[1].high - box[1].low) / 2 - cube.edge / 2;
  cube.z = box[2].low + (box[2].high - box[2].low) / 2 - cube.edge / 2;
  cube.cells_per_length = static_cast<pos_t>(1 << HB_LEVELS) / cube.edge;
  return cube;
}
#endif

HB_CLOSE
#endif
