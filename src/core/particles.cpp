// SPDX-License-Identifier: Apache-2.0
// Particles on the host: what readers fill, initial conditions make and a simulation starts from.
#include "hornbeam/particles.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "core/deepest_rung.h"
#include "core/falling_speed.h"
#include "core/fields.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

/// Empties the fields of that life.
void forget(Particles& particles, Life life) {
  for_each_array(particles, [&](auto& array, const FieldRow& row) {
    if (row.life == life) array.clear();
  });
}

template <class T>
void append_array(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// One side of a joining.
struct Side {
  std::size_t size;
  bool has_gas;
};

Side side_of(const Particles& particles) {
  const auto& family = particles.family;
  return {particles.size(), std::find(family.begin(), family.end(), Family::gas) != family.end()};
}

/// A side without particles has every field.
template <class T>
void join(std::vector<T>& to, const Side& now, const std::vector<T>& from, const Side& other, const Field<T>& field) {
  const std::size_t to_size = now.size, from_size = other.size;
  const bool here = to_size == 0 || !to.empty(), there = from_size == 0 || !from.empty();
  if (field.row.required || (here && there)) return append_array(to, from);
  const bool either = !to.empty() || !from.empty();
  const bool lacked_by_gas = (!here && now.has_gas) || (!there && other.has_gas);
  if (either && (field.row.join == Join::zero || (field.row.join == Join::gas && !lacked_by_gas))) {
    to.resize(to_size);
    append_array(to, from);
    to.resize(to_size + from_size);
  } else {
    to.clear();
  }
}

[[noreturn]] void refuse_length(const std::string& subject, const char* name, std::size_t length, std::size_t n) {
  throw Error(subject, std::string(name) + " has " + std::to_string(length) + " entries for " + std::to_string(n) +
                           " particles");
}

constexpr bool is_allowed(double value, Rule rule) {
  switch (rule) {
    case Rule::any:
      return true;
    case Rule::family:
      return value < family_count;
    case Rule::rung:
      return value <= deepest_rung;
    case Rule::number:
      return value >= 0 && value <= 2147483647 && value == std::floor(value);
    case Rule::not_negative:
      return std::isfinite(value) && value >= 0;
    default:
      return std::isfinite(value);
  }
}

/// As refusals say it.
const char* allowed(double value, Rule rule) {
  if (rule == Rule::family) return "0 to 5";
  if (rule == Rule::rung) return "0 to 30";
  if (!std::isfinite(value)) return "finite";
  return rule == Rule::number ? "a whole number, 0 or more" : "0 or more";
}

template <class T>
std::array<double, 1> numbers_of(const T& value) {
  return {static_cast<double>(value)};
}
const Vec3& numbers_of(const Vec3& value) { return value; }

/// A value that no force can be computed for.
struct Refused {
  std::size_t particle;
  const FieldRow* row = nullptr;
  std::size_t axis = 0;
  bool of_vector = false;
  double value = 0;
};

/// The first of the field's values that is refused takes the place of `first`, where it is of a particle before that.
template <class T>
void look_for_refused(const std::vector<T>& values, const FieldRow& row, Refused& first) {
  if (row.rule == Rule::any) return;
  for (std::size_t i = 0; i < std::min(values.size(), first.particle); ++i) {
    const auto& numbers = numbers_of(values[i]);
    for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
      if (is_allowed(numbers[axis], row.rule)) continue;
      first = {i, &row, axis, numbers.size() > 1, numbers[axis]};
      return;
    }
  }
}

[[noreturn]] void refuse(const std::string& subject, const Refused& found, std::uint64_t id) {
  std::ostringstream what;
  what << "particle " << found.particle << " (id " << id << "): " << found.row->said();
  if (found.of_vector) what << ' ' << "xyz"[found.axis];
  what << " = " << found.value << ": must be " << allowed(found.value, found.row->rule);
  throw Error(subject, what.str());
}

}  // namespace

void Particles::resize(std::size_t n) {
  const std::size_t old_size = size();
  for_each_field([&](const auto& field) {
    auto& array = this->*field.array;
    if (field.row.required || (!array.empty() && array.size() == old_size)) array.resize(n, field.fill);
  });
  if (n > old_size) std::iota(id.begin() + static_cast<std::ptrdiff_t>(old_size), id.end(), old_size);
}

void Particles::forget_forces() { forget(*this, Life::moment); }

void Particles::forget_steps() { forget(*this, Life::run); }

void Particles::append(const Particles& other) {
  if (&other == this) return append(Particles(other));
  const Side here = side_of(*this), there = side_of(other);
  for_each_field([&](const auto& field) { join(this->*field.array, here, other.*field.array, there, field); });
}

void Particles::validate(const std::string& subject) const {
  for_each_array(*this, [&](const auto& array, const FieldRow& row) {
    if (array.size() == size() || (!row.required && array.empty())) return;
    refuse_length(subject, row.name, array.size(), size());
  });
  Refused first{size()};
  for_each_array(*this, [&](const auto& array, const FieldRow& row) { look_for_refused(array, row, first); });
  if (first.row != nullptr) refuse(subject, first, id[first.particle]);
}

std::optional<DeepRung> first_rung_beyond(const Particles& particles, double deepest) {
  std::optional<DeepRung> found;
  for_each_array(particles, [&](const auto& array, const FieldRow& row) {
    if (row.rule != Rule::rung) return;
    for (std::size_t i = 0; i < array.size() && !found; ++i) {
      const double rung = numbers_of(array[i])[0];
      if (rung > deepest) found = {i, static_cast<int>(rung)};
    }
  });
  return found;
}

Particles selected(const Particles& particles, const std::vector<std::size_t>& places) {
  Particles some;
  for_each_field([&](const auto& field) {
    const auto& all = particles.*field.array;
    if (all.empty()) return;
    auto& taken = some.*field.array;
    taken.reserve(places.size());
    for (const std::size_t i : places) taken.push_back(all[i]);
  });
  return some;
}

double falling_speed(const Particles& particles, double G) {
  double mass = 0, edge = 0;
  for (const double m : particles.mass) mass += m;
  for (std::size_t axis = 0; axis < 3 && particles.size() > 0; ++axis) {
    const auto [low, high] = std::minmax_element(particles.position.begin(), particles.position.end(),
                                                 [axis](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
    edge = std::max(edge, (*high)[axis] - (*low)[axis]);
  }
  return edge > 0 ? std::sqrt(G * mass / edge) : 0;
}

}  // namespace hornbeam
