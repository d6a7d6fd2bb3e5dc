// SPDX-License-Identifier: Apache-2.0
// What an evaluation derives from the options of gravity. Compiled once a precision.
#pragma once

#include <algorithm>

#include "hornbeam/gravity.h"
#include "physics/accuracy.h"
#include "physics/opening.h"
#include "stages/views.h"

HB_OPEN

/// The walk's options but for `cells`, `particles` and `unit`, where an accuracy decides.
inline WalkOptions accuracy_options(double accuracy, i32 least_moment_order) {
  WalkOptions w{};
  w.mac = HB_MAC_OFFSET;
  w.order = 2;
  w.theta = w.theta_c = static_cast<real>(0.5);  // not asked by the walk from cell to cell
  w.expansion = order_of_accuracy(accuracy);
  w.softening = HB_PLUMMER;
  w.moment_order = std::max(least_moment_order, w.expansion);
  w.moment_stride = HB_MOMENT_STRIDE(w.moment_order);
  return w;
}

/// The walk's options but for `cells`, `particles` and `unit`. own_eps: particles differ in eps; least_moment_order:
/// Tree::least_moment_order.
inline WalkOptions evaluation_options(const GravityOptions& o, Mac mac, bool own_eps, i32 least_moment_order) {
  WalkOptions w{};
  if (o.accuracy > 0) return accuracy_options(o.accuracy, least_moment_order);
  w.mac = static_cast<i32>(mac);
  w.order = o.order;
  w.theta = static_cast<real>(o.theta);
  w.theta_c = static_cast<real>(o.effective_theta_c());
  w.expansion = o.walk == Walk::group && w.theta_c > 0 ? o.expansion : 0;
  w.softening = o.softening == Softening::spline ? HB_SPLINE : HB_PLUMMER;
  w.reaches = w.softening == HB_SPLINE || own_eps ? 1 : 0;
  w.moment_order = std::max({least_moment_order, w.order, w.expansion});
  w.moment_stride = HB_MOMENT_STRIDE(w.moment_order);
  return w;
}

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
