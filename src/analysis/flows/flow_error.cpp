// SPDX-License-Identifier: Apache-2.0
// How far gas is from an exact flow, see exact.h and evrard.h.
#include <cmath>

#include "hornbeam/error.h"
#include "hornbeam/evrard.h"
#include "hornbeam/exact.h"

namespace hornbeam::analysis {
namespace {

/// look(position, velocity, compared): whether a particle counts; the exact flow there and its own velocity along it.
struct ComparedPoint {
  GasPoint exact;
  double velocity = 0;
};

template <class Look>
FlowError flow_error(const Snapshot& s, double gamma, const Look& look) {
  const Particles& p = s.particles;
  if (p.density.empty() || p.internal_energy.empty() || !(s.time > 0)) {
    throw Error("exact", "needs gas with densities and internal energies at a time after 0",
                "take a later snapshot of a run with [gas]");
  }
  FlowError sum;
  for (std::size_t i = 0; i < p.size(); ++i) {
    ComparedPoint at;
    if (p.family[i] != Family::gas || !look(p.position[i], p.velocity[i], at)) continue;
    ++sum.particles;
    sum.density += std::abs(p.density[i] - at.exact.density);
    sum.velocity += std::abs(at.velocity - at.exact.velocity);
    sum.pressure += std::abs((gamma - 1) * p.density[i] * p.internal_energy[i] - at.exact.pressure);
  }
  if (sum.particles == 0) throw Error("exact", "no gas is in the region where the flow is known");
  const auto n = static_cast<double>(sum.particles);
  return {sum.particles, sum.density / n, sum.velocity / n, sum.pressure / n};
}

/// Of flows along the radius alone: flow_at(r), for gas within `edge`.
template <class FlowAt>
FlowError error_along_radius(const Snapshot& s, double gamma, double edge, const FlowAt& flow_at) {
  return flow_error(s, gamma, [&](const Vec3& x, const Vec3& v, ComparedPoint& at) {
    const double r = std::hypot(x[0], x[1], x[2]);
    at = {flow_at(r), r > 0 ? (v[0] * x[0] + v[1] * x[1] + v[2] * x[2]) / r : 0};
    return r < edge;
  });
}

}  // namespace

FlowError error_of_tube(const Snapshot& s, const ShockTube& tube, double gamma, double x_limit) {
  return flow_error(s, gamma, [&](const Vec3& x, const Vec3& v, ComparedPoint& at) {
    at = {tube.at(x[0] / s.time), v[0]};
    return std::abs(x[0]) < x_limit;
  });
}

FlowError error_of_blast(const Snapshot& s, const SedovBlast& blast, double gamma) {
  return error_along_radius(s, gamma, INFINITY, [&](double r) { return blast.at(r, s.time); });
}

FlowError error_of_noh(const Snapshot& s, const NohFlow& flow, double gamma, double edge) {
  return error_along_radius(s, gamma, edge, [&](double r) { return flow.at(r, s.time); });
}

FlowError error_of_evrard(const Snapshot& s, const EvrardCollapse& collapse, double gamma) {
  return error_along_radius(s, gamma, INFINITY, [&](double r) { return collapse.at(r); });
}

}  // namespace hornbeam::analysis
