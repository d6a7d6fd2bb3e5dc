// SPDX-License-Identifier: Apache-2.0
// Particles and units on the host: what readers fill, initial conditions make and a simulation starts from.
#include "hornbeam/particles.h"

#include <cmath>
#include <numeric>
#include <sstream>

#include "hornbeam/error.h"
#include "stages/rungs.h"

namespace hornbeam {
namespace {

constexpr double kpc_cm = 3.0856775814913673e21;  // IAU 2012 resolution B2
constexpr double sun_gm_cgs = 1.3271244e26;       // IAU 2015 resolution B3: GM of the Sun
constexpr double newton_g_cgs = 6.6743e-8;        // CODATA 2018
constexpr double sun_g = sun_gm_cgs / newton_g_cgs;
constexpr double km_cm = 1e5;

template <class T>
void resize_optional(std::vector<T>& array, std::size_t old_size, std::size_t n) {
  if (!array.empty() && array.size() == old_size) array.resize(n);
}

template <class T>
void append_mandatory(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// A side without particles has every optional array.
template <class T>
void append_optional(std::vector<T>& to, std::size_t to_size, const std::vector<T>& from, std::size_t from_size) {
  const bool both = (to_size == 0 || !to.empty()) && (from_size == 0 || !from.empty());
  if (both) {
    append_mandatory(to, from);
  } else {
    to.clear();
  }
}

/// Throws for arrays that are neither of the particles' length nor (where optional) empty.
class LengthCheck {
 public:
  LengthCheck(const std::string& subject, std::size_t n) : subject_(subject), n_(n) {}

  template <class T>
  void operator()(const char* name, const std::vector<T>& array, bool optional) const {
    if (array.size() == n_ || (optional && array.empty())) return;
    throw Error(subject_, std::string(name) + " has " + std::to_string(array.size()) + " entries for " +
                              std::to_string(n_) + " particles");
  }

 private:
  const std::string& subject_;
  std::size_t n_;
};

[[noreturn]] void refuse_particle(const Particles& particles, const std::string& subject, std::size_t i,
                                  const std::string& quantity, double value, const char* allowed) {
  std::ostringstream what;
  what << "particle " << i << " (id " << particles.id[i] << "): " << quantity << " = " << value << ": must be "
       << allowed;
  throw Error(subject, what.str());
}

void check_finite(const Particles& particles, const std::string& subject, std::size_t i, const char* quantity,
                  double value) {
  if (!std::isfinite(value)) refuse_particle(particles, subject, i, quantity, value, "finite");
}

void check_vector(const Particles& particles, const std::string& subject, std::size_t i, const char* quantity,
                  const Vec3& value) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(value[axis])) {
      refuse_particle(particles, subject, i, std::string(quantity) + ' ' + "xyz"[axis], value[axis], "finite");
    }
  }
}

void check_scalar(const Particles& particles, const std::string& subject, std::size_t i, const char* quantity,
                  double value) {
  check_finite(particles, subject, i, quantity, value);
  if (value < 0) refuse_particle(particles, subject, i, quantity, value, "0 or more");
}

/// What some particles have and others do not.
void check_optional(const Particles& p, const std::string& subject, std::size_t i) {
  if (!p.eps.empty()) check_scalar(p, subject, i, "eps", p.eps[i]);
  const auto check_if_there = [&](const char* quantity, const std::vector<double>& values) {
    if (!values.empty()) check_finite(p, subject, i, quantity, values[i]);
  };
  check_if_there("internal energy", p.internal_energy);
  check_if_there("density", p.density);
  check_if_there("smoothing length", p.smoothing_length);
  check_if_there("potential", p.potential);
  if (!p.acceleration.empty()) check_vector(p, subject, i, "acceleration", p.acceleration[i]);
  if (!p.acceleration_before.empty()) check_vector(p, subject, i, "earlier acceleration", p.acceleration_before[i]);
  for (const std::vector<std::uint8_t>* rungs : {&p.rung, &p.rung_before}) {
    if (rungs->empty() || (*rungs)[i] <= HB_DEEPEST_RUNG) continue;
    refuse_particle(p, subject, i, "rung", static_cast<double>((*rungs)[i]), "0 to 30");
  }
}

}  // namespace

void Particles::resize(std::size_t n) {
  const std::size_t old_size = size();
  position.resize(n);
  velocity.resize(n);
  mass.resize(n);
  id.resize(n);
  family.resize(n, Family::halo);
  if (n > old_size) std::iota(id.begin() + static_cast<std::ptrdiff_t>(old_size), id.end(), old_size);
  for (auto* array : {&eps, &internal_energy, &density, &smoothing_length, &potential}) {
    resize_optional(*array, old_size, n);
  }
  resize_optional(acceleration, old_size, n);
  resize_optional(rung, old_size, n);
  resize_optional(rung_before, old_size, n);
  resize_optional(acceleration_before, old_size, n);
}

void Particles::forget_steps() {
  rung.clear();
  rung_before.clear();
  acceleration_before.clear();
}

void Particles::append(const Particles& other) {
  if (&other == this) return append(Particles(other));
  const std::size_t here = size();
  const std::size_t there = other.size();
  if (eps.empty() != other.eps.empty()) {
    eps.resize(here);
    append_mandatory(eps, other.eps);
    eps.resize(here + there);
  } else {
    append_mandatory(eps, other.eps);
  }
  append_optional(internal_energy, here, other.internal_energy, there);
  append_optional(density, here, other.density, there);
  append_optional(smoothing_length, here, other.smoothing_length, there);
  append_optional(acceleration, here, other.acceleration, there);
  append_optional(potential, here, other.potential, there);
  append_optional(rung, here, other.rung, there);
  append_optional(rung_before, here, other.rung_before, there);
  append_optional(acceleration_before, here, other.acceleration_before, there);
  append_mandatory(position, other.position);
  append_mandatory(velocity, other.velocity);
  append_mandatory(mass, other.mass);
  append_mandatory(id, other.id);
  append_mandatory(family, other.family);
}

void Particles::validate(const std::string& subject) const {
  const LengthCheck check(subject, size());
  check("velocity", velocity, false);
  check("mass", mass, false);
  check("id", id, false);
  check("family", family, false);
  check("eps", eps, true);
  check("internal_energy", internal_energy, true);
  check("density", density, true);
  check("smoothing_length", smoothing_length, true);
  check("acceleration", acceleration, true);
  check("potential", potential, true);
  check("rung", rung, true);
  check("rung_before", rung_before, true);
  check("acceleration_before", acceleration_before, true);
  for (std::size_t i = 0; i < size(); ++i) {
    check_vector(*this, subject, i, "position", position[i]);
    check_vector(*this, subject, i, "velocity", velocity[i]);
    check_scalar(*this, subject, i, "mass", mass[i]);
    check_optional(*this, subject, i);
    if (static_cast<int>(family[i]) >= family_count) {
      refuse_particle(*this, subject, i, "family", static_cast<double>(family[i]), "0 to 5");
    }
  }
}

Units Units::galactic() {
  Units units;
  units.length_cm = kpc_cm;
  units.mass_g = 1e10 * sun_g;
  units.velocity_cm_per_s = km_cm;
  units.G = newton_g_cgs * units.mass_g / (units.length_cm * units.velocity_cm_per_s * units.velocity_cm_per_s);
  units.physical = true;
  return units;
}

}  // namespace hornbeam
