// SPDX-License-Identifier: Apache-2.0
// Gravity from cell to cell, one sink at a time, as exact as an accuracy asks (docs/hierarchy.md). Sinks are cells that
// hold targets. Each starts from the cells that its parent could not take; those whose estimated error is small enough
// are expanded about it, the others are opened or handed on. The smallest sinks, units, sum what is left at their
// targets.
#pragma once

#include "interactions/gravity/host/group_gravity.h"
#include "interactions/gravity/host/hierarchy/expansions.h"
#include "interactions/gravity/host/hierarchy/sink_tree.h"
#include "interactions/gravity/host/hierarchy/softened.h"

HB_ISA_OPEN

#if HB_PRECISION == HB_DOUBLE
inline constexpr real rounding = 1.2e-16;
#else
inline constexpr real rounding = 6e-8f;
#endif

/// Those cells of a family in an image of the sources whose bit is set.
struct Kin {
  i32 family;
  u32 which : 8, image : 24;
};

/// Cells that are handed on, in memory that grows: entries [begin, begin + count).
struct Handed {
  const Room<Kin>* in;
  i32 begin, count;
  [[nodiscard]] Kin operator[](i32 i) const { return (*in)[begin + i]; }
};

/// Memory of one thread.
struct HierarchyScratch {
  GravityScratch unit;
  CellBatch thin, whole;
  Room<Kin> lists;
  PickedTargets picked;
  i32 listed = 0;
  u64 tests = 0;
};

/// A sink that waits to be walked.
struct OpenSink {
  i32 number;  ///< among all
  Handed list;
  real parent;  ///< radius of its parent
  Local local;  ///< what it has been handed
};

class Hierarchy {
 public:
  Hierarchy(const WalkArrays& arrays, const WalkOptions& options, const HierarchyOptions& what,
            const Families& families, const SinkTree& sinks)
      : arrays_(arrays),
        cells_(arrays.cells),
        images_(arrays.images),
        options_(options),
        what_(what),
        families_(families),
        sinks_(sinks) {}

  /// Walks one sink. `next(OpenSink)` takes each of its children.
  template <class Next>
  void walk(const OpenSink& open, HierarchyScratch& scratch, Next next) const {
    const Sink& sink = sinks_.sink(open.number);
    Seen seen(*this, sink, open, scratch);
    if (sinks_.is_unit(open.number)) {
      walk_unit(open, seen, scratch);
      return;
    }
    const i32 begin = scratch.listed;
    for (i32 i = 0; i < open.list.count; ++i) descend<false>(open.list[i], seen, scratch, nullptr);
    const Local local = finish(open, seen, scratch);
    const Handed handed = {&scratch.lists, begin, scratch.listed - begin};
    const i32 first = sink.child, count = sink.children;
    alignas(64) real x[sibling_lanes] = {}, y[sibling_lanes] = {}, z[sibling_lanes] = {};
    for (i32 k = 0; k < count; ++k) {
      const Sink& child = sinks_.sink(first + k);
      x[k] = internal_way(sink.x, child.x, options_.unit);
      y[k] = internal_way(sink.y, child.y, options_.unit);
      z[k] = internal_way(sink.z, child.z, options_.unit);
    }
    // cells of coincident particles, which have no radius, may follow one another down to the deepest level
    const real parent = size_of_sink(sink.radius, open.parent);
    Local to[sibling_lanes];
    if (is_wide(sink.radius)) {
      for (Local& none : to) none = {1, {}};
    } else {
      hand_down(local, options_.expansion, count, x, y, z, to);
    }
    for (i32 k = 0; k < count; ++k) next(OpenSink{first + k, handed, parent, to[k]});
  }

  /// The same, and all below it.
  void walk_all(const OpenSink& open, HierarchyScratch& scratch) const {
    const i32 listed = scratch.listed;
    walk(open, scratch, [&](const OpenSink& child) { walk_all(child, scratch); });
    scratch.listed = listed;
  }

 private:
  /// Sinks so wide take no cell, since powers of distances in them would leave the range: their expansions are 0.
  [[nodiscard]] static bool is_wide(real radius) { return !(radius < (real)HB_WIDEST); }

  /// What siblings are tested against.
  struct Seen {
    pos_t x, y, z;
    real radius, spread, reach, scale, expansion, multipole, soft2;
    real half[3];
    SoftenedSink softening;

    Seen(const Hierarchy& h, const Sink& sink, const OpenSink& open, HierarchyScratch& scratch)
        : x(sink.x),
          y(sink.y),
          z(sink.z),
          radius(sink.radius),
          spread(hb_min(sink.spread, sink.radius)),
          softening(h.options_, sink) {
      const i32 p = h.options_.expansion;
      scale = scale_of_sink(radius, open.parent);
      reach = hb_max(radius, (real)HB_LEAST_REACH / scale);
      const real tolerance = is_wide(radius) ? 0 : h.what_.tolerance * sink.demand;
      expansion = hb_min(1 / expansion_tolerance(p, tolerance), (real)HB_NEVER);
      multipole = hb_min(1 / quadrupole_tolerance(tolerance), (real)HB_NEVER);
      soft2 = sink.soft2;
      // a cell that reaches over the box of its targets would be far from it by rounding
      for (int k = 0; k < 3; ++k) half[k] = sink.half[k] + 8 * rounding * sink.radius;
      scratch.thin.begin(true, p);
      scratch.whole.begin(false, p);
    }
  };

  /// Deals with one family and all that is opened below it.
  template <bool is_unit>
  void descend(Kin start, const Seen& s, HierarchyScratch& scratch, GroupGravity<ForceFormula>* gravity) const {
    Kin stack[stack_size];
    int depth = 0;
    stack[depth++] = start;
    while (depth > 0) {
      const Kin now = stack[--depth];
      const Family& f = families_.family(now.family);
      for (unsigned open = settle<is_unit>(f, now, s, scratch, gravity); open != 0; open &= open - 1) {
        const i32 i = __builtin_ctz(open), kids = f.kids[i];
        families_.expect(kids, f.first + i);
        stack[depth++] = {kids, (1u << cells_.children[f.first + i]) - 1u, now.image};
      }
    }
  }

  /// Takes, hands on or sums what it can of the siblings; those that are to be opened. Longer than others: its parts
  /// share a dozen packs.
  template <bool is_unit>
  unsigned settle(const Family& f, Kin now, const Seen& s, HierarchyScratch& scratch,
                  GroupGravity<ForceFormula>* gravity) const {
    const i32 p = options_.expansion;
    const ImageShift at = images_.shift[now.image];
    const SiblingPack dx = siblings_relative(f.x, s.x - at.x, options_.unit),
                      dy = siblings_relative(f.y, s.y - at.y, options_.unit),
                      dz = siblings_relative(f.z, s.z - at.z, options_.unit);
    const SiblingPack d2 = hb_max(hb_fma(dx, dx, hb_fma(dy, dy, dz * dz)), SiblingPack((real)1e-30f));
    const SiblingPack inv = hb_rsqrt0(d2), mass = SiblingPack::load(f.mass), rho = SiblingPack::load(f.rho);
    const SiblingPack per_d2 = mass * inv * inv;
    SiblingPack weights[HB_POWERS];
    for (int k = 0; k < p - 1; ++k) weights[k] = SiblingPack::load(f.weights[k]);
    const SiblingPack error = per_d2 * truncated_part(p, rho * inv, SiblingPack(s.spread) * inv, weights);
    unsigned take = now.which & bits(hb_both(error * SiblingPack(s.expansion) < SiblingPack(1),
                                             (rho + SiblingPack(s.reach)) * inv < SiblingPack((real)HB_CONVERGENCE)));
    const SoftenedSiblings softened =
        s.softening.of_siblings(cells_, f.first, rho, inv, per_d2 * SiblingPack(s.expansion), s.reach);
    take &= softened.expandable;
    const auto expand = [&](CellBatch& batch, unsigned which) {
      if (which == 0) return;
      batch.add(f.first, which, mass, dx, dy, dz, families_);
      if (batch.is_full()) flush(batch, s, scratch, false);
    };
    expand(scratch.thin, take & softened.harmonic);
    expand(scratch.whole, take & ~softened.harmonic);
    unsigned rest = now.which & ~take;
    if (rest == 0) return 0;
    if constexpr (!is_unit) {
      const unsigned open = rest & ~f.leaves & bits(rho > SiblingPack(s.radius));
      if ((rest & ~open) != 0) hand_on({now.family, rest & ~open, now.image}, scratch);
      return open;
    } else {
      const SiblingPack d2 = to_box(dx, dy, dz, s), reach = rho + SiblingPack(gravity->near());
      const unsigned far = rest & bits(far_from_unit(f, d2, mass, rho, s)), near = ~bits(d2 > reach * reach);
      if (gravity->image() != (i32)now.image) gravity->see(images_, now.image);
      for (unsigned left = far; left != 0; left &= left - 1) gravity->add_multipole(f.first + __builtin_ctz(left));
      rest &= ~far;
      for (unsigned left = rest & f.leaves & near; left != 0; left &= left - 1)
        gravity->on_leaf(f.first + __builtin_ctz(left));
      for (unsigned left = rest & f.leaves & ~near; left != 0; left &= left - 1)
        gravity->on_distant_leaf(f.first + __builtin_ctz(left));
      return rest & ~f.leaves;
    }
  }

  /// Squared distances from the sink's box.
  [[nodiscard]] static SiblingPack to_box(SiblingPack dx, SiblingPack dy, SiblingPack dz, const Seen& s) {
    const SiblingPack none(0);
    const SiblingPack x = hb_max(hb_abs(dx) - SiblingPack(s.half[0]), none),
                      y = hb_max(hb_abs(dy) - SiblingPack(s.half[1]), none),
                      z = hb_max(hb_abs(dz) - SiblingPack(s.half[2]), none);
    return hb_fma(x, x, hb_fma(y, y, z * z));
  }

  /// d2: from the unit's box.
  [[nodiscard]] SiblingPack::Mask far_from_unit(const Family& f, SiblingPack d2, SiblingPack mass, SiblingPack rho,
                                                const Seen& s) const {
    const SiblingPack inv = hb_rsqrt0(d2), part = rho * inv;
    const SiblingPack scaled = mass * inv * inv * SiblingPack(s.multipole),
                      error = scaled * SiblingPack::load(f.octupole) * part * part * part;
    return hb_both(hb_both(error < SiblingPack(1), s.softening.is_plain(cells_, f.first, rho, inv, scaled)),
                   hb_both(SiblingPack((real)HB_CONVERGENCE) * (d2 * inv) > rho, rho > SiblingPack(0)));
  }

  void hand_on(Kin family, HierarchyScratch& scratch) const {
    scratch.lists.reserve(scratch.listed + 1);
    scratch.lists[scratch.listed++] = family;
  }

  void flush(CellBatch& batch, const Seen& s, HierarchyScratch& scratch, bool is_end) const {
    const i32 waiting = batch.waiting();
    batch.flush(families_, cells_, s.soft2, s.scale, is_end);
    scratch.unit.counts.expansion += (u64)(waiting - batch.waiting());
  }

  /// All of a sink's expansion: what it was handed, and its own.
  Local finish(const OpenSink& open, const Seen& s, HierarchyScratch& scratch) const {
    Local local = open.local;
    rescale(local, options_.expansion, s.scale);
    for (CellBatch* batch : {&scratch.thin, &scratch.whole}) {
      if (batch->waiting() > 0) flush(*batch, s, scratch, true);
      batch->add_to(local);
    }
    return local;
  }

  /// Walks a unit and sums at its targets; a leaf of very many takes several turns.
  void walk_unit(const OpenSink& open, const Seen& s, HierarchyScratch& scratch) const {
    const Sink& sink = sinks_.sink(open.number);
    const i32 end = sink.first + sink.count;
    for (i32 begin = sink.first; begin < end; begin += max_group_size) {
      if (begin > sink.first) {
        scratch.thin.begin(true, options_.expansion);
        scratch.whole.begin(false, options_.expansion);
      }
      sum_at(begin, hb_min(max_group_size, end - begin), open, s, scratch);
    }
  }

  /// Those of `count` targets from `begin` on, where they lie one after the other, or picked from among others.
  void sum_at(i32 begin, i32 count, const OpenSink& open, const Seen& s, HierarchyScratch& scratch) const {
    const i32 first = sinks_.particle(begin), places = sinks_.particle(begin + count - 1) + 1 - first;
    const GroupRange range = {first, places};
    const i32* const numbers = places > count ? sinks_.particles(begin) : nullptr;
    if (numbers != nullptr) scratch.picked.take(arrays_.targets, numbers, count);
    const GroupGeometry group =
        numbers != nullptr ? enclose(scratch.picked.view(), {0, count}, options_, nullptr, scratch.unit.targets)
                           : enclose(arrays_.targets, range, options_, nullptr, scratch.unit.targets);
    GroupGravity<ForceFormula> gravity(arrays_.particles, arrays_.targets, cells_, options_, images_, group, range, 0,
                                       scratch.unit, close_in(group, count), numbers, what_.rough_roots != 0);
    for (i32 i = 0; i < open.list.count; ++i) descend<true>(open.list[i], s, scratch, &gravity);
    const Local local = finish(open, s, scratch);
    const real way[3] = {internal_way(s.x, group.centre[0], options_.unit),
                         internal_way(s.y, group.centre[1], options_.unit),
                         internal_way(s.z, group.centre[2], options_.unit)};
    if (!is_wide(s.radius)) evaluate_local(local, options_.expansion, way, scratch.unit.targets);
    gravity.finish(arrays_.acc);
  }

  /// Part of a unit's radius within which pairs take differences of their own positions. Along a line a unit is far
  /// wider than its targets are apart. Attractions by neighbours, which nearly cancel, would be rounded too much.
  [[nodiscard]] real close_in(const GroupGeometry& group, i32 count) const {
    const real x = group.half[0], y = group.half[1], z = group.half[2], longest = hb_max(x, hb_max(y, z));
    const real middle = x + y + z - longest - hb_min(x, hb_min(y, z));
    return middle < longest / 8 ? hb_max(what_.close, (real)16 / (real)count) : what_.close;
  }

  const WalkArrays& arrays_;
  const CellsView& cells_;
  const WalkImages& images_;
  const WalkOptions& options_;
  const HierarchyOptions& what_;
  const Families& families_;
  const SinkTree& sinks_;
};

HB_ISA_CLOSE
