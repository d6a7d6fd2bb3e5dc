// SPDX-License-Identifier: Apache-2.0
// Spheres that touch, r_ij <= R_i + R_j, a visitor of pairs: each pair once, from the one that came first on input.
// Their number or, where there are rows, whom each touches and in which image. What becomes of the pairs is the host's:
// touching_pairs.cpp.
#ifndef HORNBEAM_INTERACTIONS_COLLISIONS_TOUCHING_H
#define HORNBEAM_INTERACTIONS_COLLISIONS_TOUCHING_H
#include "walk/pairs.h"
HB_OPEN

#define HB_VISITOR touching
#define HB_VISITOR_TYPE Touching
#define HB_SOURCE_REACH radius
#define HB_SOURCES_touching(F) F(pos_t, radius)
#define HB_ARRAYS_touching(F)                                            \
  F(const u64, offset)  /* where rows begin, by index on input */        \
  F(u32, found)         /* how many it touches, where partner is null */ \
  F(u32, partner)       /* rows of indices on input, or null */          \
  F(i32, partner_image) /* beside partner: where it stands, in the list */

typedef struct {
  i32 rows;  ///< whether rows are written
} TouchingOptions;

typedef struct {
  pos_t reach;
  u64 row;    ///< where its row begins
  u32 index;  ///< on input
  u32 found;
} TouchingTarget;

#include "walk/pair_types.inc"

HB_FN TouchingTarget touching_begin(const TouchingView* view, i32 i) {
  TouchingTarget t;
  t.reach = view->target_radius[i];
  t.index = view->target_input[i];
  t.row = view->options.rows ? view->offset[t.index] : 0;
  t.found = 0;
  return t;
}

HB_SUM_FORMULA sum_t touching_limit2(sum_t target, sum_t source) { return (target + source) * (target + source); }

HB_FN void touching_meet(const TouchingView* view, TouchingTarget* t, TouchingSource source, PairWay way) {
  const u32 input = view->input[source.place];
  if (input <= t->index) return;  // the other one finds it, in the opposite image
  if (view->options.rows) {
    view->partner[t->row + t->found] = input;
    view->partner_image[t->row + t->found] = way.image;
  }
  ++t->found;
}

HB_FN void touching_finish(const TouchingView* view, TouchingTarget* t) {
  if (!view->options.rows) view->found[t->index] = t->found;
}

HB_CLOSE

#include "walk/pair_walks.inc"

#if !defined(__OPENCL_VERSION__)
#include <array>
#include <compare>
#include <vector>

namespace hornbeam {

struct NeighbourOptions;
struct SourceImage;

/// Two spheres that touch, by index on input, the first one's less; the second is in `image` of the list.
struct TouchingPair {
  std::uint32_t first, second;
  std::int32_t image;
  friend bool operator==(const TouchingPair&, const TouchingPair&) = default;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the order of defaulted comparisons for a pointer
  friend auto operator<=>(const TouchingPair&, const TouchingPair&) = default;
};

/// Returns all pairs of spheres that touch, in order. The list of images has the opposite of each shift, so that each
/// pair is found once. A single one takes options.box_size, for the nearest images in a cube of at least four times the
/// largest radius. by_groups: targets walk together. Throws UsageError for impossible radii, images or options.
std::vector<TouchingPair> touching_spheres(const std::vector<std::array<double, 3>>& position,
                                           const std::vector<double>& radius, const std::vector<SourceImage>& images,
                                           const NeighbourOptions& options, bool by_groups = true);

}  // namespace hornbeam
#endif
#endif
