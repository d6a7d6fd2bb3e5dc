// SPDX-License-Identifier: Apache-2.0
// Comoving to physical numbers, see cosmology.h: after a reader has filled the particles.
#include "io/cosmology.h"

#include <cmath>
#include <sstream>

#include "core/fields.h"
#include "hornbeam/error.h"

namespace hornbeam::io {
namespace {

template <class T>
void scale(std::vector<T>& array, double factor) {
  if constexpr (std::is_same_v<T, double>) {
    for (double& x : array) x *= factor;
  } else if constexpr (std::is_same_v<T, Vec3>) {
    for (Vec3& x : array) x = {factor * x[0], factor * x[1], factor * x[2]};
  }
}

void demand_factors(const Cosmology& cosmology, const std::string& subject) {
  if (!(cosmology.a > 0) || !std::isfinite(cosmology.a)) {
    throw Error(subject, "its scale factor is unknown: the header has none above 0, or has different ones",
                "leave out physical to read its numbers without conversion");
  }
  if (cosmology.per_h && (!(cosmology.h > 0) || !std::isfinite(cosmology.h))) {
    throw Error(subject, "its numbers are per h, and HubbleParam is missing or not above 0",
                "leave out physical to read its numbers without conversion");
  }
}

/// Those that codes agree on, by what a field is.
std::optional<Scaling> usual_scaling(const Cosmology& cosmology, const std::string_view field) {
  const Scaling length = cosmology.length(), mass = cosmology.mass();
  for (const std::string_view name : {"position", "eps", "smoothing_length", "radius"}) {
    if (field == name) return length;
  }
  if (field == "mass") return mass;
  if (field == "velocity") return Scaling{cosmology.velocity_of_a, 0};
  if (field == "density") return Scaling{-3 * length.a, mass.h - 3 * length.h};
  const bool of_swift = cosmology.velocity_of_a == 0;  // whose energies have powers of a
  if (field == "internal_energy" && of_swift) return std::nullopt;
  for (const std::string_view name : {"internal_energy", "temperature", "material"}) {
    if (field == name) return Scaling{};
  }
  return std::nullopt;
}

void settle_physical(const Cosmology& cosmology, Snapshot& snapshot) {
  const double length = cosmology.factor(cosmology.length());
  snapshot.box_size *= length;
  for (double& edge : snapshot.boundary.size) edge *= length;
  const double age = cosmology.age();
  const bool has_age = age > 0 && snapshot.units.physical;
  snapshot.time = has_age ? age * snapshot.units.velocity_cm_per_s / snapshot.units.length_cm : 0;
  snapshot.notes.push_back("cosmological factors are applied: numbers are physical (" + cosmology.in_words() +
                           "), velocities peculiar, and the time is " +
                           (has_age ? "the age of the universe" : "0, because its age is unknown"));
}

}  // namespace

double Cosmology::factor(const Scaling& powers) const { return std::pow(a, powers.a) * std::pow(h, powers.h); }

std::string Cosmology::in_words() const {
  std::ostringstream text;
  text << "a = ";
  a > 0 ? text << a : text << "unknown";
  if (per_h) h > 0 ? text << ", h = " << h : text << ", h unknown";
  return text.str();
}

double Cosmology::age() const {
  constexpr double mpc_cm = 3.0856775814913673e24;
  if (!(omega_matter > 0) || !(h > 0) || !(a > 0)) return 0;
  const double curvature = 1 - omega_matter - omega_lambda;
  // with a = s^(2/3) the integrand da / (a H) is smooth from the beginning on
  const auto integrand = [&](double s) {
    const double x = std::cbrt(s * s);
    return 2 / 3.0 / std::sqrt(omega_matter + curvature * x + omega_lambda * x * x * x);
  };
  constexpr int pieces = 1000;  // Simpson's rule
  const double step = std::pow(a, 1.5) / pieces;
  double sum = integrand(0) + integrand(step * pieces);
  for (int k = 1; k < pieces; ++k) sum += (k % 2 == 1 ? 4 : 2) * integrand(k * step);
  return sum * step / 3 * mpc_cm / (h * 1e7);
}

void leave_comoving(const Cosmology& cosmology, Snapshot& snapshot) {
  const std::string which = cosmology.per_h ? "comoving and per h" : "comoving";
  const bool same = cosmology.changes_nothing();
  snapshot.notes.push_back(
      "cosmological factors are not applied: numbers are read without conversion, " + which + " (" +
      cosmology.in_words() + ")" +
      (same ? "" : ", so that units have no names (apply a and h with --physical or input.physical)"));
  if (!same) snapshot.units = Units{.G = snapshot.units.G, .physical = false};
}

void make_physical(const Cosmology& cosmology, const std::string& subject, Snapshot& snapshot,
                   const StoredScaling& stored) {
  demand_factors(cosmology, subject);
  for_each_array(snapshot.particles, [&](auto& array, const FieldRow& row) {
    using Element = typename std::decay_t<decltype(array)>::value_type;
    if constexpr (std::is_same_v<Element, double> || std::is_same_v<Element, Vec3>) {
      if (array.empty()) return;
      std::optional<Scaling> powers = stored ? stored(row) : std::nullopt;
      if (!powers) powers = usual_scaling(cosmology, row.name);
      if (powers) return scale(array, cosmology.factor(*powers));
      array.clear();
      snapshot.notes.push_back(std::string(row.said()) + " is not kept: its powers of a and h are not known");
    }
  });
  settle_physical(cosmology, snapshot);
}

}  // namespace hornbeam::io
