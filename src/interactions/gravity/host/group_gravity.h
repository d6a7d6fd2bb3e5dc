// SPDX-License-Identifier: Apache-2.0
// Gravity as a visitor of the CPU's group walk. A far cell is expanded once about the group's centre, a nearer one is
// evaluated at each particle, a near one is opened; lists are evaluated when full and at the end.
#pragma once

#include "interactions/gravity/host/group_scratch.h"
#include "interactions/gravity/particle_gravity.h"
#include "physics/opening.h"

HB_ISA_OPEN

/// Whether quadrupoles are held to a part of |a|; `relative` does that by itself.
HB_FN bool guards_multipoles(const WalkOptions& options) {
  return options.order == 2 && options.mac != HB_MAC_RELATIVE && options.theta > 0;
}

/// Formula: what is summed, ForceFormula or, without expansions, TideFormula.
template <class Formula>
class GroupGravity {
 public:
  /// `acceleration`: about |a| of the group, for the dominance rule of expandable().
  /// targets: the particles themselves, or places of others. numbers: those of `range` that are targets, ascending, or
  /// null: all.
  GroupGravity(const ParticlesView& particles, const ParticlesView& targets, const CellsView& cells,
               const WalkOptions& options, const WalkImages& images, const GroupGeometry& group, GroupRange range,
               real acceleration, GravityScratch& scratch, real close = HB_CLOSE_IN_WALK, const i32* numbers = nullptr,
               bool rough = false)
      : particles_(particles),
        targets_(targets),
        cells_(cells),
        options_(options),
        images_(images),
        whole_(group),
        group_(group),
        range_(range),
        numbers_(numbers),
        rough_(rough),
        own_(among(0)),
        scratch_(scratch) {
    close_ = close * group.radius;
    watches_ = watches_close(options.reaches, group.soft2, close_);
    tests_ = tests_from(group, options, 1, acceleration);
    tests_.half_x = group.half[0];
    tests_.half_y = group.half[1];
    tests_.half_z = group.half[2];
    tests_.close2 = close_ * close_;
    for (SourceList* list : {&scratch_.particles, &scratch_.distant, &scratch_.own}) list->count = 0;
    scratch_.multipoles.count = 0;
    for (i32 t = 0; t < targets_here(); ++t) scratch_.own_place[t] = -1;
    scratch_.far.begin(cells, options, group.centre, group.soft2);
  }

  /// Turns to another image of the sources.
  void see(const WalkImages& images, i32 image) {
    group_ = seen_from(whole_, images.shift[image]);
    own_ = among(image);
    image_ = image;
  }

  unsigned settle(i32 first, unsigned which) {
    const SiblingsSeen seen(cells_, first, group_, options_.unit);
    const SiblingPack b = SiblingPack::load(cells_.b + first), mass = SiblingPack::load(cells_.cell_mass + first),
                      size2 = SiblingPack::load(cells_.size2 + first),
                      box2 = options_.mac == HB_MAC_MIN_DISTANCE ? between_boxes(first) : SiblingPack(0);
    Taken<SiblingPack> taken =
        take_cell(&options_, &tests_, guards_multipoles(options_), seen.dx, seen.dy, seen.dz, b, mass, size2, box2);
    if (options_.reaches) {
      const auto plain = is_plain(taken.d2, b, reach_of_siblings(cells_, first, options_.softening, tests_.reach));
      taken.far = far_where_plain(taken.far, plain, b);
      const auto apart = is_plain(taken.d2, b, SiblingPack(tests_.expansion_reach));
      taken.expand = hb_both(taken.expand, hb_both(plain, apart));
    }
    const unsigned expand = options_.expansion > 0 ? which & bits(taken.expand) : 0u;
    const unsigned far = which & bits(taken.far) & ~expand;
    for (unsigned left = expand; left != 0; left &= left - 1) seen.expand(__builtin_ctz(left), first, scratch_.far);
    for (unsigned left = far; left != 0; left &= left - 1) add_multipole(first + __builtin_ctz(left));
    return which & ~expand & ~far;
  }

  /// Sums a cell's multipole at the targets.
  void add_multipole(i32 c) {
    if (options_.order == 0 || cells_.b[c] == 0) return add_point(c);
    QuadrupoleList& list = scratch_.multipoles;
    const i32 j =
        append(list, cells_.com_x[c], cells_.com_y[c], cells_.com_z[c], cells_.cell_mass[c], cells_.cell_soft2[c]);
    const real* M = cells_.moments + c * (u64)options_.moment_stride;
    for (int k = 0; k < 6; ++k) list.M[k][j] = M[k];
    scratch_.counts.cell += (u64)targets_here();
    if (list.count == list_size) evaluate_multipoles();
  }

  /// One that is not near the group, or in it.
  void on_distant_leaf(i32 c) {
    if (is_mine(cells_.first[c], cells_.count[c])) return on_leaf(c);  // by rounding
    if (cells_.b[c] == 0 && cells_.count[c] > 1) {
      add_point(c);
    } else {
      add_particles(rough_ ? scratch_.distant : scratch_.particles, cells_.first[c], cells_.count[c]);
    }
  }

  /// That of the sources at present.
  [[nodiscard]] i32 image() const { return image_; }

  /// Within this distance of the group leaves are for on_leaf(). Differences to the group's centre may be too coarse
  /// there, and so may rough roots.
  [[nodiscard]] real near() const { return hb_max(watches_ ? close_ : (real)0, rough_ ? whole_.radius / 2 : (real)0); }

  void on_leaf(i32 c) {
    const i32 first = cells_.first[c], count = cells_.count[c];
    const bool mine = is_mine(first, count);
    if (cells_.b[c] == 0 && count > 1) {
      if (mine || (watches_ && is_near(c))) {
        add_own_point(c);
      } else {
        add_point(c);
      }
      if (mine) remove_own_share(c);
    } else if (mine || (watches_ && is_near(c))) {
      for (i32 j = first; j < first + count; ++j) add_own(j);
    } else {
      add_particles(scratch_.particles, first, count);
    }
  }

  /// Evaluates what is left on the lists and writes the group's accelerations (4 arrays of N, internal units).
  void finish(real* const* acc) {
    evaluate(scratch_.particles);
    evaluate(scratch_.distant);
    evaluate_own();
    evaluate_multipoles();
    scratch_.counts.expansion += (u64)scratch_.far.finish();
    scratch_.far.evaluate(scratch_.targets, whole_.centre);
    put_targets(scratch_.targets, 0, range_.first, numbers_, acc);
  }

 private:
  /// The targets among the sources of an image.
  [[nodiscard]] GroupRange among(i32 image) const {
    return image > 0 || targets_.x != particles_.x ? GroupRange{-1, 0} : range_;
  }

  /// Whether some of `count` sources from `first` on may be targets.
  [[nodiscard]] bool is_mine(i32 first, i32 count) const {
    return first < own_.first + own_.count && first + count > own_.first;
  }
  [[nodiscard]] i32 targets_here() const { return scratch_.targets.count; }

  /// The target that source i of own_ is; -1: none.
  [[nodiscard]] i32 target_of(i32 i) const {
    if (numbers_ == nullptr) return i - own_.first;
    const i32 t = place_from(numbers_, i, 0, targets_here());
    return t < targets_here() && numbers_[t] == i ? t : -1;
  }

  /// Least squared distance between the group's box and each sibling's.
  [[nodiscard]] SiblingPack between_boxes(i32 first) const {
    SiblingPack d2;
    for (int i = 0; i < sibling_lanes; ++i) {
      d2.v[i] = distance2_to_box_of_cell(group_.box, cells_, first + i, options_.unit);
    }
    return d2;
  }

  /// Whether particles of cell c may be closer to a target than differences to the group's centre can resolve.
  [[nodiscard]] bool is_near(i32 c) const { return largest_gap(group_.box, cells_, c, options_.unit) < close_; }

  /// Appends one source at (x, y, z); returns its place.
  i32 append(SourceList& list, pos_t x, pos_t y, pos_t z, real mass, real soft2) {
    const i32 j = list.count++;
    list.x[j] = internal_way(group_.centre[0], x, options_.unit);
    list.y[j] = internal_way(group_.centre[1], y, options_.unit);
    list.z[j] = internal_way(group_.centre[2], z, options_.unit);
    list.mass[j] = mass;
    list.soft2[j] = soft2;
    return j;
  }

  /// A cell as a point mass: a monopole, or particles at one place.
  void add_point(i32 c) {
    append(scratch_.particles, cells_.com_x[c], cells_.com_y[c], cells_.com_z[c], cells_.cell_mass[c],
           cells_.cell_soft2[c]);
    (cells_.count[c] == 1 ? scratch_.counts.particle : scratch_.counts.cell) += (u64)targets_here();
    if (scratch_.particles.count == list_size) evaluate(scratch_.particles);
  }

  /// The same near the group or in it.
  void add_own_point(i32 c) {
    append_own(cells_.first[c], cells_.cell_mass[c], cells_.cell_soft2[c]);
    scratch_.counts.cell += (u64)targets_here();
    scratch_.counts.particle -= (u64)targets_here();  // as which evaluate_own() counts all of its list
  }

  /// Takes from each target among the coincident particles of leaf c what it has from itself in their sum.
  void remove_own_share(i32 c) {
    const i32 end = hb_min(cells_.first[c] + cells_.count[c], range_.first + range_.count);
    for (i32 i = hb_max(cells_.first[c], range_.first); i < end; ++i) {
      const i32 t = target_of(i);
      if (t < 0) continue;
      const real none = 0;
      const Field<real> share = Formula::of_point(options_.softening, none, none, none, particles_.mass[i],
                                                  cells_.cell_soft2[c] + particles_.soft2[i], Field<real>{});
      Formula::remove_own(share, scratch_.targets.acc[t]);
    }
  }

  void add_own(i32 j) {
    const i32 place = append_own(j, particles_.mass[j], particles_.soft2[j]);
    const i32 t = j >= own_.first && j < own_.first + own_.count ? target_of(j) : -1;
    if (t >= 0) scratch_.own_place[t] = place;
  }

  /// A source at the place of particle j; returns its place on the list.
  i32 append_own(i32 j, real mass, real soft2) {
    if (scratch_.own.count == list_size) evaluate_own();
    const i32 place = append(scratch_.own, particles_.x[j], particles_.y[j], particles_.z[j], mass, soft2);
    scratch_.own_number[place] = j;
    scratch_.own_image[place] = image_;
    return place;
  }

  /// Eight at a time; what is written past the end is overwritten by the next or by pad().
  void add_particles(SourceList& list, i32 first, i32 count) {
    while (count > 0) {
      const i32 n = hb_min(count, list_size - list.count), at = list.count;
      for (i32 j = 0; j < n; j += sibling_lanes) {
        siblings_relative(particles_.x + first + j, group_.centre[0], options_.unit).store(list.x + at + j);
        siblings_relative(particles_.y + first + j, group_.centre[1], options_.unit).store(list.y + at + j);
        siblings_relative(particles_.z + first + j, group_.centre[2], options_.unit).store(list.z + at + j);
        SiblingPack::load(particles_.mass + first + j).store(list.mass + at + j);
        SiblingPack::load(particles_.soft2 + first + j).store(list.soft2 + at + j);
      }
      list.count += n;
      first += n;
      count -= n;
      scratch_.counts.particle += (u64)n * (u64)targets_here();
      if (list.count == list_size) evaluate(list);
    }
  }

  void evaluate(SourceList& list) {
    if (list.count == 0) return;
    pad(list);
    if (options_.softening == HB_SPLINE) {
      pull_all(PairPull<HB_SPLINE, Formula>(list), list.count, scratch_.targets);
    } else if (&list == &scratch_.distant) {
      pull_all(RoughPull(list), list.count, scratch_.targets);
    } else {
      pull_all(PairPull<HB_PLUMMER, Formula>(list), list.count, scratch_.targets);
    }
    list.count = 0;
  }

  void evaluate_own() {
    SourceList& list = scratch_.own;
    if (list.count == 0) return;
    pad(list);
    for (i32 t = 0; t < targets_here(); ++t)
      scratch_.counts.particle += (u64)(list.count - (scratch_.own_place[t] >= 0));
    const ExactPlaces places = {&particles_,   scratch_.own_number, &targets_,     range_.first,
                                options_.unit, scratch_.own_image,  images_.shift, numbers_};
    pull_own<Formula>(list, places, watches_ ? close_ : 0, options_.softening, scratch_);
    list.count = 0;
    for (i32 t = 0; t < targets_here(); ++t) scratch_.own_place[t] = -1;
  }

  void evaluate_multipoles() {
    QuadrupoleList& list = scratch_.multipoles;
    if (list.count == 0) return;
    pad(list);
    if (options_.softening == HB_SPLINE) {
      pull_all(QuadrupolePull<false, Formula>(list), list.count, scratch_.targets);
    } else {
      pull_all(QuadrupolePull<true, Formula>(list), list.count, scratch_.targets);
    }
    list.count = 0;
  }

  const ParticlesView &particles_, &targets_;
  const CellsView& cells_;
  const WalkOptions& options_;
  const WalkImages& images_;
  const GroupGeometry& whole_;
  GroupGeometry group_;  ///< as the present image of the sources sees it
  GroupTests tests_;
  GroupRange range_;    ///< its targets, or what these are among
  const i32* numbers_;  ///< of these in it, ascending; null: all
  bool rough_;          ///< whether forces of distant particles take hb_rough_rsqrt0()
  GroupRange own_;      ///< range_ among the sources
  i32 image_ = 0;
  GravityScratch& scratch_;
  real close_ = 0;       ///< distance below which differences to the group's centre do not resolve pairs
  bool watches_ = true;  ///< watches_close()
};

/// The far field that a block's groups share goes to scratch.block_far, what is left of the tree to scratch.frontier.
HB_FN void share_far_field(const ParticlesView& targets, const CellsView& cells, const WalkOptions& options,
                           const WalkImages& images, GroupRange range, const real* last_acceleration,
                           GravityScratch& scratch) {
  GroupGeometry block = enclose(targets, range, options, last_acceleration, scratch.targets);
  const real acceleration = estimate_acceleration(cells, options, images, block);
  if (!last_acceleration) block.accuracy = relative_tolerance(options.order, options.theta) * acceleration;
  BlockFarField far(cells, options, block, acceleration, scratch.block_far, scratch.frontier);
  walk_images(cells, options, images, far);
  scratch.counts.expansion += (u64)scratch.block_far.finish();
}

/// Takes `visitor` to where the block has left the images of the tree: visit(family) there.
template <class Visitor, class Visit>
HB_FN void walk_frontier(const Frontier& frontier, const WalkImages& images, Visitor& visitor, Visit visit) {
  i32 image = 0;
  for (i32 f = 0; f < frontier.count; ++f) {
    const Start start = frontier.starts[f];
    if (start.image != image) visitor.see(images, image = start.image);
    visit(start.family);
  }
}

/// |a| of a group of the block, roughly: the shared far field's acceleration and that of the cells it left.
HB_FN real estimate_acceleration(const CellsView& cells, const WalkOptions& options, const WalkImages& images,
                                 const GroupGeometry& group, const GravityScratch& scratch) {
  CoarsePull coarse(cells, options, group, scratch.block_far.at_centre());
  walk_frontier(scratch.frontier, images, coarse,
                [&](Siblings family) { coarse.add(family.first, family.which, true); });
  return coarse.size();
}

/// The walks of all groups of targets of one block. last_acceleration: |a| of the evaluation before, or null.
template <class Formula>
HB_FN void walk_block(const ParticlesView& particles, const ParticlesView& targets, const CellsView& cells,
                      const WalkOptions& options, const WalkImages& images, const GroupRange* groups, i32 count,
                      const real* last_acceleration, real* const* acc, GravityScratch& scratch) {
  const bool shares = options.expansion > 0 && count > 1;
  const bool estimates =
      options.expansion > 0 || guards_multipoles(options) || (options.mac == HB_MAC_RELATIVE && !last_acceleration);
  scratch.frontier.count = 0;
  if (shares) {
    const GroupRange all = {groups[0].first, groups[count - 1].first + groups[count - 1].count - groups[0].first};
    share_far_field(targets, cells, options, images, all, last_acceleration, scratch);
  } else {
    for (i32 i = 0; i < images.count; ++i) scratch.frontier.add({0, 1u}, i);
  }
  for (i32 g = 0; g < count; ++g) {
    GroupGeometry group = enclose(targets, groups[g], options, last_acceleration, scratch.targets);
    const real acceleration = shares      ? estimate_acceleration(cells, options, images, group, scratch)
                              : estimates ? estimate_acceleration(cells, options, images, group)
                                          : 0;
    if (!last_acceleration) group.accuracy = relative_tolerance(options.order, options.theta) * acceleration;
    GroupGravity<Formula> gravity(particles, targets, cells, options, images, group, groups[g], acceleration, scratch);
    walk_frontier(scratch.frontier, images, gravity, [&](Siblings family) { group_walk(cells, family, gravity); });
    if (shares) scratch.block_far.evaluate(scratch.targets, group.centre);
    gravity.finish(acc);
  }
}

HB_ISA_CLOSE
