// SPDX-License-Identifier: Apache-2.0
// Names and limits of the gravity options.
#include "hornbeam/gravity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <sstream>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

// in the order of the enumerators
constexpr std::array<std::string_view, 4> walk_names = {"group", "stackless", "vote", "direct"};
constexpr std::array<std::string_view, 5> mac_names = {"bh", "offset", "offset-box", "min-distance", "relative"};
constexpr std::array<std::string_view, 2> softening_names = {"plummer", "spline"};
constexpr std::array<std::string_view, 3> curve_names = {"hilbert", "morton", "none"};
constexpr std::array<std::string_view, 3> precision_names = {"mixed", "single", "double"};

template <class Enum, std::size_t n>
Enum parse_name(std::string_view subject, std::string_view text, const std::array<std::string_view, n>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  std::string allowed;
  for (const auto& name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  throw UsageError(std::string(subject) + " = " + std::string(text), "is not one of " + allowed);
}

[[noreturn]] void refuse(const char* option, double value, const char* allowed) {
  std::ostringstream subject;
  subject << option << " = " << value;
  throw UsageError(subject.str(), std::string("must be ") + allowed);
}

}  // namespace

std::string_view name(Walk v) { return walk_names[static_cast<std::size_t>(v)]; }
std::string_view name(Mac v) { return mac_names[static_cast<std::size_t>(v)]; }
std::string_view name(Softening v) { return softening_names[static_cast<std::size_t>(v)]; }
std::string_view name(Curve v) { return curve_names[static_cast<std::size_t>(v)]; }
std::string_view name(Precision v) { return precision_names[static_cast<std::size_t>(v)]; }

template <>
Walk parse<Walk>(std::string_view subject, std::string_view text) {
  return parse_name<Walk>(subject, text, walk_names);
}
template <>
Mac parse<Mac>(std::string_view subject, std::string_view text) {
  return parse_name<Mac>(subject, text, mac_names);
}
template <>
Softening parse<Softening>(std::string_view subject, std::string_view text) {
  return parse_name<Softening>(subject, text, softening_names);
}
template <>
Curve parse<Curve>(std::string_view subject, std::string_view text) {
  return parse_name<Curve>(subject, text, curve_names);
}
template <>
Precision parse<Precision>(std::string_view subject, std::string_view text) {
  return parse_name<Precision>(subject, text, precision_names);
}

double least_accuracy(Precision precision) { return precision == Precision::fp64 ? 1e-10 : 3e-5; }

namespace {

/// Whether one of the options that an accuracy replaces is given, or differs from its default.
bool names_opening(const GravityOptions& o) {
  const GravityOptions usual;
  return o.names_opening || o.theta != usual.theta || o.theta_c != usual.theta_c || o.order != usual.order ||
         o.expansion != usual.expansion || o.mac != usual.mac;
}

/// Throws UsageError if the accuracy is out of range, or one of the options that it replaces is given, too.
void validate_accuracy(const GravityOptions& o) {
  const double least = least_accuracy(o.precision);
  std::ostringstream subject, range;
  subject << "accuracy = " << o.accuracy;
  range << "must be from " << least << " (in precision " << name(o.precision) << ") to " << largest_accuracy;
  if (!(o.accuracy >= least && o.accuracy <= largest_accuracy)) {
    throw UsageError(subject.str(), range.str(),
                     o.accuracy < least && o.precision != Precision::fp64 ? "precision double reaches further" : "");
  }
  if (names_opening(o)) {
    throw UsageError(subject.str(), "replaces theta, theta_c, order, expansion and mac, one of which is given, too",
                     "leave those out, or accuracy");
  }
  if (o.walk != Walk::group) {
    throw UsageError(subject.str(), "needs walk group, not " + std::string(name(o.walk)), "leave walk or accuracy out");
  }
}

}  // namespace

double GravityOptions::effective_theta_c() const { return theta_c >= 0 ? theta_c : std::min(theta, 1.0); }

void GravityOptions::validate() const {
  if (!(theta >= 0 && theta <= largest_theta)) refuse("theta", theta, "in [0, 2]");
  if (!(theta_c <= largest_theta_c)) refuse("theta_c", theta_c, "in [0, 1], or negative for theta");
  if (order != 0 && order != 2) refuse("order", order, "0 (monopole) or 2 (quadrupole)");
  if (expansion < 0 || expansion > largest_expansion) refuse("expansion", expansion, "from 0 (none) to 6");
  if (!std::isfinite(eps)) refuse("eps", eps, "a finite length, or negative for the particles' own");
  if (leaf_size < 0 || leaf_size > largest_leaf_size)
    refuse("leaf_size", leaf_size, "from 1 to 1024, or 0 for the device's choice");
  if (group_size < 0 || group_size > largest_group_size) {
    refuse("group_size", group_size, "from 1 to 1024, or 0 for the device's choice");
  }
  if (!(accuracy <= 0)) validate_accuracy(*this);
  if (!(G > 0) || !std::isfinite(G)) refuse("G", G, "positive and finite");
  if (walk == Walk::group && curve == Curve::none) {
    throw UsageError("curve = none", "leaves particles unsorted, so that no groups can be made",
                     "use walk direct, or hilbert or morton");
  }
}

GravityOptions with_common_eps(GravityOptions options, const Particles& particles) {
  const std::vector<double>& eps = particles.eps;
  const bool is_common = !eps.empty() && std::adjacent_find(eps.begin(), eps.end(), std::not_equal_to<>()) == eps.end();
  if (options.eps < 0 && is_common) options.eps = eps.front();
  return options;
}

GravityOptions resolved(GravityOptions options, const AccuracyContext& context) {
  if (!(options.accuracy < 0)) return options;
  const bool by_groups = options.walk == Walk::group && options.curve != Curve::none;
  const bool suits = by_groups && options.softening == Softening::plummer && !names_opening(options);
  const bool is_excluded =
      !context.attracts || context.own_eps || context.finite_images || context.tides || context.refused;
  options.accuracy = suits && !is_excluded ? usual_accuracy : 0;
  return options;
}

std::string_view eps_source(const GravityOptions& options, const Particles& particles) {
  if (options.eps >= 0) return "option";
  return particles.eps.empty() ? "default" : "file";
}

}  // namespace hornbeam
