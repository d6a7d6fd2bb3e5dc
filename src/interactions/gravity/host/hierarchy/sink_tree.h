// SPDX-License-Identifier: Apache-2.0
// The sinks of the walk from cell to cell: cells that hold targets, each with the box of these alone and what they
// demand. They are a tree of their own, so that its cost follows the number of targets; units end it.
#pragma once

#include "device/host/room.h"
#include "interactions/gravity/host/group_geometry.h"
#include "physics/accuracy.h"
#include "stages/box.h"

HB_ISA_OPEN

/// A cell as a sink: its middle is that of the box of its targets.
struct Sink {
  pos_t x, y, z;
  real radius, half[3];
  real spread;  ///< typical distance of its targets from the middle, by the mean of their eighth powers
  real demand;  ///< the least demanded_pull() of its targets
  real soft2, least_soft2, most_soft2;  ///< mean and extremes of their eps^2 / 2
  i32 first, count;                     ///< its targets are [first, first + count) of all
  i32 child, children;                  ///< a unit has none
};

/// Targets that do not lie one after the other, side by side.
class PickedTargets {
 public:
  /// numbers: of `count` particles, at most max_group_size.
  void take(const ParticlesView& all, const i32* numbers, i32 count) {
    for (i32 t = 0; t < count; ++t) {
      x_[t] = all.x[numbers[t]];
      y_[t] = all.y[numbers[t]];
      z_[t] = all.z[numbers[t]];
      soft2_[t] = all.soft2[numbers[t]];
    }
  }
  /// Without masses.
  [[nodiscard]] ParticlesView view() const { return {x_, y_, z_, nullptr, soft2_}; }

 private:
  pos_t x_[max_group_size], y_[max_group_size], z_[max_group_size];
  real soft2_[max_group_size];
};

class SinkTree {
 public:
  SinkTree(const ParticlesView& particles, const HierarchyTargets& targets, const HierarchyOptions& what, pos_t unit)
      : particles_(particles), targets_(targets), what_(what), unit_(unit) {}

  /// Finds the sinks, parents before children. May throw OutOfRoom.
  void list() {
    if (targets_.count > 0) push(0, 0, targets_.count);
    for (i32 i = 0; i < count_; ++i) list_children(i);
    boxes_.reserve(count_);
  }

  /// Measures the units. demand: demanded_pull() of each particle; null: set_demand() of each unit follows.
  void measure_units(const real* demand) const {
#pragma omp parallel for schedule(static)
    for (i32 i = 0; i < count_; ++i) {
      if (is_unit(i)) measure_unit(i, demand);
    }
  }
  void set_demand(i32 i, real demand) const { sinks_[i].demand = demand; }

  /// Measures the others, from their children.
  void measure_parents() const {
    for (i32 i = count_ - 1; i >= 0; --i) {
      if (!is_unit(i)) measure_parent(i);
    }
#pragma omp parallel for schedule(static)
    for (i32 i = 0; i < count_; ++i) {
      if (!is_unit(i)) sinks_[i].spread = spread_of(sinks_[i]);
    }
  }

  [[nodiscard]] i32 count() const { return count_; }
  [[nodiscard]] i32 targets() const { return targets_.count; }
  [[nodiscard]] const Sink& sink(i32 i) const { return sinks_[i]; }
  /// Whether the targets of a sink are summed there.
  [[nodiscard]] bool is_unit(i32 i) const { return sinks_[i].children == 0; }
  /// Whether the targets are all of the sources.
  [[nodiscard]] bool are_all_of(const ParticlesView& sources) const {
    return targets_.list == nullptr && particles_.x == sources.x;
  }
  /// The particle that target t is.
  [[nodiscard]] i32 particle(i32 t) const { return targets_.list != nullptr ? targets_.list[t] : t; }
  /// The same of all from t on, where they are some.
  [[nodiscard]] const i32* particles(i32 t) const { return targets_.list + t; }

 private:
  void push(i32 cell, i32 first, i32 count) {
    sinks_.reserve(count_ + 1);
    cell_.reserve(count_ + 1);
    cell_[count_] = cell;
    sinks_[count_] = Sink{};
    sinks_[count_].first = first;
    sinks_[count_++].count = count;
  }

  /// A single target has the same box all the way down.
  [[nodiscard]] bool makes_unit(i32 cell, i32 count) const {
    return targets_.cells.count[cell] <= what_.unit || targets_.cells.children[cell] == 0 || count == 1;
  }

  /// Cells on the way down that have all targets in one child are left out.
  void list_children(i32 i) {
    const i32 begin = count_, first = sinks_[i].first, count = sinks_[i].count;
    for (i32 cell = cell_[i]; !makes_unit(cell, count);) {
      split(cell, first, first + count);
      if (count_ > begin + 1) break;
      cell = cell_[begin];
      count_ = begin;
    }
    sinks_[i].child = begin;
    sinks_[i].children = count_ - begin;
  }

  /// Lists the children of a cell that hold some of the targets [t, end), all of which are in it.
  void split(i32 cell, i32 t, i32 end) {
    const CellsView& cells = targets_.cells;
    for (i32 k = cells.child[cell]; t < end; ++k) {
      const i32 next = target_from(cells.first[k] + cells.count[k], t, end);
      if (next > t) push(k, t, next - t);
      t = next;
    }
  }

  /// The first of the targets [t, end) that is no particle before `place`.
  [[nodiscard]] i32 target_from(i32 place, i32 t, i32 end) const {
    return targets_.list == nullptr ? hb_min(place, end) : place_from(targets_.list, place, t, end);
  }

  void measure_unit(i32 i, const real* demand) const {
    Sink& s = sinks_[i];
    const i32 one = particle(s.first);
    PlaceBox box = box_of_place(particles_.x[one], particles_.y[one], particles_.z[one]);
    s.demand = demand != nullptr ? demand[one] : (real)HB_NEVER;
    s.least_soft2 = s.most_soft2 = particles_.soft2[one];
    sum_t soft2 = 0;
    for (i32 t = s.first; t < s.first + s.count; ++t) {
      const i32 p = particle(t);
      box = join_place_boxes(box, box_of_place(particles_.x[p], particles_.y[p], particles_.z[p]));
      add_soft2(s, particles_.soft2[p], particles_.soft2[p]);
      soft2 += (sum_t)particles_.soft2[p];
      if (demand != nullptr) s.demand = hb_min(s.demand, demand[p]);
    }
    take_mean(s, soft2);
    take_box(i, box);
    real radius2 = 0;
    for (i32 t = s.first; t < s.first + s.count; ++t) radius2 = hb_max(radius2, distance2(s, particle(t), 1));
    s.radius = hb_min(s.radius, hb_sqrt(radius2));
    s.spread = spread_of(s);
  }

  void measure_parent(i32 i) const {
    Sink& s = sinks_[i];
    PlaceBox box = boxes_[s.child];
    s.demand = sinks_[s.child].demand;
    s.least_soft2 = s.most_soft2 = sinks_[s.child].soft2;
    sum_t soft2 = 0;
    for (i32 k = s.child; k < s.child + s.children; ++k) {
      const Sink& t = sinks_[k];
      box = join_place_boxes(box, boxes_[k]);
      add_soft2(s, t.least_soft2, t.most_soft2);
      soft2 = hb_fma((sum_t)t.count, (sum_t)t.soft2, soft2);
      s.demand = hb_min(s.demand, t.demand);
    }
    take_mean(s, soft2);
    take_box(i, box);
    real radius = 0;
    for (i32 k = s.child; k < s.child + s.children; ++k) {
      const Sink& t = sinks_[k];
      radius = hb_max(radius, t.radius + hb_sqrt(squared(s, t.x, t.y, t.z, 1)));
    }
    s.radius = hb_min(s.radius, radius);
  }

  static void add_soft2(Sink& s, real least, real most) {
    s.least_soft2 = hb_min(s.least_soft2, least);
    s.most_soft2 = hb_max(s.most_soft2, most);
  }
  /// Exact where all are equal.
  static void take_mean(Sink& s, sum_t sum) {
    s.soft2 = s.least_soft2 == s.most_soft2 ? s.most_soft2 : (real)(sum / (sum_t)s.count);
  }

  /// Middle, halves and the radius of the box.
  void take_box(i32 i, const PlaceBox& box) const {
    Sink& s = sinks_[i];
    boxes_[i] = box;
    const auto axis = [&](pos_t low, pos_t high, pos_t& middle, real& half) {
      middle = middle_of(low, high);
      half = half_edge(low, middle, high, unit_);
    };
    axis(box.low_x, box.high_x, s.x, s.half[0]);
    axis(box.low_y, box.high_y, s.y, s.half[1]);
    axis(box.low_z, box.high_z, s.z, s.half[2]);
    s.radius = hb_sqrt(hb_fma(s.half[0], s.half[0], hb_fma(s.half[1], s.half[1], s.half[2] * s.half[2])));
  }

  /// Of at most `most_sampled` of its targets, the same distance apart along the curve.
  [[nodiscard]] real spread_of(const Sink& s) const {
    constexpr i32 most_sampled = 128;
    const i32 step = (s.count + most_sampled - 1) / most_sampled;
    const real scale = s.radius > 0 ? 1 / s.radius : 0;
    real sum = 0;
    i32 sampled = 0;
    for (i32 t = s.first; t < s.first + s.count; t += step, ++sampled) {
      const real d2 = distance2(s, particle(t), scale), d4 = d2 * d2;
      sum = hb_fma(d4, d4, sum);
    }
    return s.radius * hb_min(eighth_root(sum / (real)sampled), (real)1);
  }

  /// The squared distance of particle p from the middle, in lengths times `scale`.
  [[nodiscard]] real distance2(const Sink& s, i32 p, real scale) const {
    return squared(s, particles_.x[p], particles_.y[p], particles_.z[p], scale);
  }
  [[nodiscard]] real squared(const Sink& s, pos_t x, pos_t y, pos_t z, real scale) const {
    const real dx = internal_way(s.x, x, unit_) * scale, dy = internal_way(s.y, y, unit_) * scale,
               dz = internal_way(s.z, z, unit_) * scale;
    return hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  }

  const ParticlesView& particles_;
  const HierarchyTargets& targets_;
  const HierarchyOptions& what_;
  pos_t unit_;
  i32 count_ = 0;
  Room<Sink> sinks_;
  Room<i32> cell_;
  Room<PlaceBox> boxes_;
};

HB_ISA_CLOSE
