// SPDX-License-Identifier: Apache-2.0
// See kept_tree.h.
#include "simulation/kept_tree.h"

#include <cmath>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam {

bool share_a_tree(const GravityOptions& a, const GravityOptions& b) {
  if ((a.effective_theta_c() > 0) != (b.effective_theta_c() > 0)) return false;
  return a.eps == b.eps && a.order == b.order && a.expansion == b.expansion && a.walk == b.walk && a.curve == b.curve &&
         a.precision == b.precision && a.leaf_size == b.leaf_size && a.group_size == b.group_size && a.G == b.G;
}

bool same_accuracy(const GravityOptions& a, const GravityOptions& b) {
  return a.theta == b.theta && a.theta_c == b.theta_c && a.mac == b.mac && a.softening == b.softening &&
         a.conserve == b.conserve;
}

bool are_alike(double size, double other) {
  constexpr double far = 1 << 20;  // its cube, too, is far from what single precision has
  return size <= far * other && other <= far * size;
}

void demand_targets(const GravityOptions& options, std::size_t targets, std::optional<std::size_t> eps) {
  const bool one_by_one = options.walk == Walk::stackless || options.walk == Walk::vote;
  if (options.mac == Mac::relative && one_by_one) {
    throw UsageError("mac = relative", "at other places it needs walk group or direct", "use another mac or walk");
  }
  if (eps && *eps != targets) {
    throw UsageError("target_eps", std::to_string(*eps) + " for " + std::to_string(targets) + " targets",
                     "give one each");
  }
}

void demand_target_eps(bool given, bool own, bool one_for_all) {
  if (given && one_for_all) {
    throw UsageError("target_eps", "the particles have one length for all", "give the tree lengths of their own");
  }
  if (!given && own) {
    throw UsageError("target_eps", "is missing, and the particles have lengths of their own", "give one each");
  }
}

void demand_place(const Vec3& place, std::size_t i) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::isfinite(place[k])) continue;
    throw Error("target " + std::to_string(i), std::string("position ") + "xyz"[k] + " = " + std::to_string(place[k]),
                "must be finite");
  }
}

void demand_finite_at(const std::vector<Vec3>& places, const ForceField& field) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3& a = field.acceleration[i];
    if (std::isfinite(a[0] + a[1] + a[2]) && std::isfinite(field.potential[i])) continue;
    throw NotFinite("targets",
                    "what pulls target " + std::to_string(i) + " at (" + std::to_string(places[i][0]) + ", " +
                        std::to_string(places[i][1]) + ", " + std::to_string(places[i][2]) + ") is not finite",
                    "give a softening eps, take precision double, or look for targets very far from all particles");
  }
}

}  // namespace hornbeam
