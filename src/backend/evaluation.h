// SPDX-License-Identifier: Apache-2.0
// What every backend derives from the options and the particles before it runs the stages. Compiled once a precision.
#pragma once

#include <algorithm>
#include <limits>

#include "backend/backend.h"
#include "hornbeam/gravity.h"
#include "physics/expansion.h"
#include "stages/finite.h"
#include "stages/rungs.h"
#include "stages/views.h"
#include "tree/frame.h"

HB_OPEN

/// The walk's options but for `cells`, `particles` and `unit`. own_eps: particles differ in eps;
/// least_moment_order: of the moments this backend always makes.
inline WalkOptions evaluation_options(const GravityOptions& o, Mac mac, bool own_eps, i32 least_moment_order) {
  WalkOptions w{};
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

/// The rule in units of a device: the user's unit of |a| per internal one, and the internal unit of lengths per one.
inline RungRule internal_rule(const StepRule& rule, double a_unit, double unit) {
  const double longest = rule.longest / rule.eta;
  const double change = rule.eta_change > 0 ? 1 / (rule.eta_change * rule.eta_change) : 0;
  return {static_cast<pos_t>(longest * longest * a_unit * unit), static_cast<pos_t>(change),
          static_cast<pos_t>(rule.longest / 2 * a_unit), rule.deepest};
}

/// From counts[HB_CENSUS].
inline RungCensus census_of(const u32* counts) {
  RungCensus census;
  std::copy_n(counts, census.particles.size(), census.particles.begin());
  census.beyond = counts[HB_CENSUS_BEYOND];
  census.not_finite = counts[HB_CENSUS_NOT_FINITE];
  return census;
}

/// The largest internal size that is finite in units of `unit`, and of `exact` as checkpoints have it.
inline real largest_finite(double unit, double exact) {
  constexpr double most = std::numeric_limits<double>::max();
  if (!(unit <= most && exact <= most)) return -1;
  return static_cast<real>(std::min<double>(std::numeric_limits<real>::max(), most / std::max(unit, exact)));
}

/// User's units per internal ones as the pipelines have them, with G and without.
inline FiniteLimits finite_limits(double a_unit, double exact_a_unit, double p_unit, double exact_p_unit) {
  return {std::numeric_limits<pos_t>::max(), largest_finite(a_unit, exact_a_unit),
          largest_finite(p_unit, exact_p_unit)};
}

HB_CLOSE
