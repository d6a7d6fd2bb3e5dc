// SPDX-License-Identifier: Apache-2.0
// Potential, acceleration, density and enclosed mass of external potentials for callers, in fp64: docs/dynamics.md eq.
// 8 to 12 and the densities that Poisson's equation gives. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "hornbeam/error.h"
#include "hornbeam/potential.h"
#include "interactions/external/fields.h"

namespace hornbeam {

using namespace fp64;

namespace {

constexpr double pi = std::numbers::pi, infinite = std::numeric_limits<double>::infinity();

/// Of a sphere by eq. 8, 9 and 10.
double spherical_density(const ExternalPotential& p, double r) {
  const double a = p.scale;
  if (p.kind == PotentialKind::hernquist) return p.mass / (2 * pi) * (a / (r + a)) / r / (r + a) / (r + a);
  if (p.kind == PotentialKind::nfw) return p.mass / (4 * pi) / r / (r + a) / (r + a);
  const double d = std::hypot(r, a);
  if (d == 0) return infinite;
  return 3 * p.mass / (4 * pi) * (a / d) * (a / d) / d / d / d;
}

/// Of eq. 11 (Binney & Tremaine 2008, eq. 2.71c). Below a flattening of 1 / sqrt 2 it is negative along the axis.
double logarithmic_density(const ExternalPotential& p, double across, double z, double G) {
  const double q2 = p.flattening * p.flattening, m = std::hypot(across, z / p.flattening, p.scale);
  if (m == 0) return infinite;
  const double a = p.scale / m, R = across / m, height = z / m;
  const double shape = (2 * q2 + 1) * a * a + R * R + (2 - 1 / q2) * height * height;
  return p.speed / m * (p.speed / m) / (4 * pi * G * q2) * shape;
}

/// Of eq. 12 (Miyamoto & Nagai 1975, eq. 5).
double miyamoto_nagai_density(const ExternalPotential& p, double across, double z) {
  const double a = p.scale, b = p.height, h = std::hypot(z, b);
  if (h == 0) return a > 0 || across == 0 ? infinite : 0;
  const double d = std::hypot(across, a + h);
  const double shape = a * (across / d) * (across / d) + (a + 3 * h) * ((a + h) / d) * ((a + h) / d);
  return p.mass / (4 * pi) * (b / h) * (b / h) * (shape / h) / d / d / d;
}

double density(const ExternalPotential& p, const Vec3& from_centre, double G) {
  const double across = std::hypot(from_centre[0], from_centre[1]), z = from_centre[2];
  if (p.kind == PotentialKind::logarithmic) return logarithmic_density(p, across, z, G);
  if (p.kind == PotentialKind::miyamoto_nagai) return miyamoto_nagai_density(p, across, z);
  return spherical_density(p, std::hypot(across, z));
}

/// 1 - atan(s) / s for s^2, which may be negative: then it is 1 - artanh(t) / t for t^2 = -s^2 < 1.
double one_less_atan(double s2) {
  if (std::abs(s2) > 0.05) {
    const double s = std::sqrt(std::abs(s2));
    return 1 - (s2 > 0 ? std::atan(s) : std::atanh(s)) / s;
  }
  double sum = 0;
  for (int k = 11; k >= 1; --k) sum = s2 * (1.0 / (2 * k + 1) - sum);  // the first term left out is 1e-15 of the sum
  return sum;
}

/// By Gauss's law, from the flux through a sphere.
double logarithmic_mass(const ExternalPotential& p, double r, double G) {
  const double d = std::hypot(r, p.scale);
  if (d == 0) return 0;
  const double u = r / d, core = p.scale / d, flat = (1 / p.flattening - 1) * (1 / p.flattening + 1);
  return p.speed * p.speed * (r / G) * (u * u + core * core * one_less_atan(u * u * flat));
}

/// The same: M r^3 times the integral over mu = z / r from 0 to 1 of (1 + a mu^2 / h) / (r^2 + a^2 + b^2 + 2 a h)^1.5,
/// h^2 = z^2 + b^2. With z = b sinh t it is smooth, and Gauss's rule of 16 points in panels of one takes it to
/// rounding.
double miyamoto_nagai_mass(const ExternalPotential& p, double r) {
  const double a = p.scale, b = p.height;
  if (r == 0) return 0;
  if (b <= r * 1e-150) {  // a disc without height
    const double d = std::hypot(r, a);
    return p.mass * (r / d) * (r / (d + a));
  }
  constexpr double node[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438,
                              0.7554044083550030, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499};
  constexpr double weight[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025, 0.1495959888165767,
                                0.1246289712555339, 0.0951585116824928, 0.0622535239386479, 0.0271524594117541};
  const double size = std::hypot(r, a, b), end = std::asinh(r / b);
  const auto panels = static_cast<int>(std::ceil(end));
  const double half = end / (2 * std::max(panels, 1));
  const auto at = [&](double t) {
    const double z = b * std::sinh(t) / size, h = b * std::cosh(t) / size;
    const double far = std::sqrt(1 + 2 * (a / size) * h);
    return (h + (a / size) * (z / (r / size)) * (z / (r / size))) / (far * far * far);
  };
  double sum = 0;
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = (2 * panel + 1) * half;
    for (int k = 0; k < 8; ++k) sum += weight[k] * half * (at(middle - half * node[k]) + at(middle + half * node[k]));
  }
  return p.mass * (r / size) * (r / size) * sum;
}

}  // namespace

ExternalValues external_values(const std::vector<ExternalPotential>& potentials, const Vec3& position, double G,
                               double time) {
  const PresentFields fields{potentials, time};
  ExternalValues found;
  for (std::size_t i = 0; i < potentials.size(); ++i) {
    potentials[i].validate("potential");
    const ExternalPull pull = external_pull(field_at(fields, i, G, 1, 1), position[0], position[1], position[2]);
    const Vec3 centre = fields.centre(i);
    found.potential += G * pull.potential;
    const double along[3] = {pull.x, pull.y, pull.z};
    for (std::size_t k = 0; k < 3; ++k) found.acceleration[k] += G * along[k];
    found.density +=
        density(potentials[i], {position[0] - centre[0], position[1] - centre[1], position[2] - centre[2]}, G);
  }
  return found;
}

double mass_within(const ExternalPotential& p, double r, double G) {
  p.validate("potential");
  if (!(r >= 0) || !std::isfinite(r)) {
    std::ostringstream received;
    received << "received " << r;
    throw UsageError("radius", received.str(), "must be 0 or above");
  }
  if (p.kind == PotentialKind::logarithmic) return logarithmic_mass(p, r, G);
  if (p.kind == PotentialKind::miyamoto_nagai) return miyamoto_nagai_mass(p, r);
  if (p.kind == PotentialKind::nfw) return p.mass * nfw_mass(r / p.scale);
  const double d = p.kind == PotentialKind::hernquist ? r + p.scale : std::hypot(r, p.scale), u = d > 0 ? r / d : 1;
  return p.mass * u * u * (p.kind == PotentialKind::hernquist ? 1 : u);
}

}  // namespace hornbeam
