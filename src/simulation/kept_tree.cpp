// SPDX-License-Identifier: Apache-2.0
// See kept_tree.h.
#include "simulation/kept_tree.h"

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

}  // namespace hornbeam
