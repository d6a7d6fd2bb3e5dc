// SPDX-License-Identifier: Apache-2.0
// What an evaluation derives from the options of gravity. Compiled once a precision.
#pragma once

#include <algorithm>

#include "hornbeam/gravity.h"
#include "physics/accuracy.h"
#include "physics/opening.h"
#include "stages/units.h"
#include "stages/views.h"

HB_OPEN

/// What an accuracy decides of evaluation_options().
inline WalkOptions accuracy_options(double accuracy) {
  WalkOptions w{};
  w.mac = HB_MAC_OFFSET;
  w.order = 2;
  w.theta = w.theta_c = static_cast<real>(0.5);  // not asked by the walk from cell to cell
  w.expansion = order_of_accuracy(accuracy);
  return w;
}

/// The walk's options but for `cells`, `particles` and `unit`. own_eps: particles differ in eps; least_moment_order:
/// Tree::least_moment_order.
inline WalkOptions evaluation_options(const GravityOptions& o, Mac mac, bool own_eps, i32 least_moment_order) {
  WalkOptions w{};
  if (o.accuracy > 0) {
    w = accuracy_options(o.accuracy);
  } else {
    w.mac = static_cast<i32>(mac);
    w.order = o.order;
    w.theta = static_cast<real>(o.theta);
    w.theta_c = static_cast<real>(o.effective_theta_c());
    w.expansion = o.walk == Walk::group && w.theta_c > 0 ? o.expansion : 0;
  }
  w.softening = o.softening == Softening::spline ? HB_SPLINE : HB_PLUMMER;
  w.reaches = w.softening == HB_SPLINE || own_eps ? 1 : 0;
  w.moment_order = std::max({least_moment_order, w.order, w.expansion});
  w.moment_stride = HB_MOMENT_STRIDE(w.moment_order);
  return w;
}

/// tolerance_of_accuracy() of a walk. Smaller with images of the sources, where all targets are at the centre of all
/// mass and their |a| is small; and for unequal softenings, for which smaller cells are taken, and more of them
/// (measured; docs/hierarchy.md eq. 7).
inline real tolerance_of_walk(double accuracy, const WalkOptions& w, std::size_t images) {
  real tolerance = tolerance_of_accuracy(static_cast<real>(accuracy));
  if (images > 1) tolerance *= static_cast<real>(0.3);
  if (w.reaches != 0 && w.softening == HB_PLUMMER) tolerance *= static_cast<real>(0.5);
  return tolerance;
}

/// Pairs closer than this part of a unit's radius take differences of their own positions: fp32 differences to a unit's
/// middle change the force of a pair as far apart as the unit is wide by 3e-7.
inline real close_of_accuracy(double accuracy) {
  return static_cast<real>(std::clamp(3e-7 / accuracy, double{HB_CLOSE_IN_WALK}, 1.0 / 16));
}

/// Whether roots that are wrong by up to 4e-4 are exact enough for pairs of some distance. Their attractions are wrong
/// by at most 3 times as much, each to another side. Near ones may be most of a sum, or cancel in it.
inline bool takes_rough_roots(double accuracy) { return accuracy >= 5e-4; }

/// Whether the next walk must be preceded by one with `offset`: `relative` scales by |a|, which the walk by groups
/// estimates by itself where none is remembered.
inline bool needs_first_pass(const GravityOptions& o, bool remembers) {
  return o.mac == Mac::relative && !remembers && (o.walk == Walk::stackless || o.walk == Walk::vote);
}

/// The criterion of the next walk.
inline Mac present_mac(const GravityOptions& o, bool remembers) {
  return needs_first_pass(o, remembers) ? Mac::offset : o.mac;
}

HB_CLOSE
