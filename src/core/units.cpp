// SPDX-License-Identifier: Apache-2.0
// Constants and systems of units, their names and the way from one to another, see units.h.
#include "hornbeam/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/fields.h"
#include "core/short_numbers.h"
#include "core/unit_spellings.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

constexpr double newton_g_cgs = 6.6743e-8;        // CODATA 2018
constexpr double km_cm = 1e5, m3_cm3 = 1e6;       //
constexpr double kpc_cm = 3.0856775814913673e21;  // IAU 2012 resolution B2, with the au
constexpr double pc_cm = 3.0856775814913673e18;   // the same
constexpr double au_cm = 1.495978707e13;          // the same
constexpr double sun_gm_cgs = 1.3271244e26;       // IAU 2015 resolution B3: nominal GM and radii
constexpr double earth_gm_cgs = 3.986004e14 * m3_cm3;
constexpr double jupiter_gm_cgs = 1.2668653e17 * m3_cm3;
constexpr double saturn_gm_cgs = 3.7931206e16 * m3_cm3;  // JPL, of the planet alone
constexpr double year_s = 3.15576e7;                     // Julian

/// Powers of length, mass and time.
struct Named {
  std::string_view name;
  double cgs;
  int length, mass, time;
};

// Of one size the first name is written.
constexpr std::array<Named, 32> named_units{{
    {"kpc", kpc_cm, 1, 0, 0},
    {"pc", pc_cm, 1, 0, 0},
    {"Mpc", 1e6 * pc_cm, 1, 0, 0},
    {"AU", au_cm, 1, 0, 0},
    {"au", au_cm, 1, 0, 0},
    {"km", km_cm, 1, 0, 0},
    {"m", 1e2, 1, 0, 0},
    {"cm", 1.0, 1, 0, 0},
    {"Rsun", 6.957e10, 1, 0, 0},
    {"Rjup", 7.1492e9, 1, 0, 0},
    {"Rsaturn", 6.0268e9, 1, 0, 0},
    {"Rearth", 6.3781e8, 1, 0, 0},
    {"ly", 2.99792458e10 * year_s, 1, 0, 0},
    {"Msun", sun_gm_cgs / newton_g_cgs, 0, 1, 0},
    {"Mjup", jupiter_gm_cgs / newton_g_cgs, 0, 1, 0},
    {"Msaturn", saturn_gm_cgs / newton_g_cgs, 0, 1, 0},
    {"Mearth", earth_gm_cgs / newton_g_cgs, 0, 1, 0},
    {"kg", 1e3, 0, 1, 0},
    {"g", 1.0, 0, 1, 0},
    {"Gyr", 1e9 * year_s, 0, 0, 1},
    {"Myr", 1e6 * year_s, 0, 0, 1},
    {"kyr", 1e3 * year_s, 0, 0, 1},
    {"yr", year_s, 0, 0, 1},
    {"year", year_s, 0, 0, 1},
    {"day", 86400.0, 0, 0, 1},
    {"d", 86400.0, 0, 0, 1},
    {"hour", 3600.0, 0, 0, 1},
    {"h", 3600.0, 0, 0, 1},
    {"min", 60.0, 0, 0, 1},
    {"s", 1.0, 0, 0, 1},
    {"J", 1e7, 2, 1, -2},
    {"erg", 1.0, 2, 1, -2},
}};

struct System {
  std::string_view name;
  const char* length;
  const char* mass;
  const char* velocity;
};
constexpr std::array<System, 5> systems{{{"galactic", "kpc", "1e10 Msun", "km/s"},
                                         {"solar", "AU", "Msun", "AU/yr"},
                                         {"si", "m", "kg", "m/s"},
                                         {"cgs", "cm", "g", "cm/s"},
                                         {"saturn", "Rsaturn", "Msaturn", "km/s"}}};

double power(double x, int n) {
  double product = 1;
  for (int k = 0; k < std::abs(n); ++k) product *= x;
  return n < 0 ? 1 / product : product;
}

Quantity operator*(const Quantity& a, const Quantity& b) {
  return {a.cgs * b.cgs, a.length + b.length, a.mass + b.mass, a.time + b.time};
}

Quantity to_power(const Quantity& q, int n) { return {power(q.cgs, n), n * q.length, n * q.mass, n * q.time}; }

/// "did you mean pc?", or all that there are.
std::string units_like(std::string_view word) {
  std::string_view near = usual_spelling(word);
  std::string known = "there are";
  for (const Named& unit : named_units) {
    if (near.empty() && same_letters(unit.name, word)) near = unit.name;
    known += " " + std::string(unit.name);
  }
  return near.empty() ? known : "did you mean " + std::string(near) + "?";
}

/// product: factor ((blank, * or /) factor)...; factor: number, name or (product), then ^ or ** and a whole number.
class Reader {
 public:
  Reader(std::string_view text, const std::string& subject) : text_(text), subject_(subject) {}

  Quantity all() {
    const Quantity q = product(0);
    if (at_ < text_.size()) fail();
    return q;
  }

 private:
  static constexpr int deepest = 8, largest_power = 12;

  [[noreturn]] void fail() const {
    throw UsageError(subject_, "received '" + std::string(text_.substr(0, 60)) + "'",
                     "write units as \"kpc\", \"1e10 Msun\", \"km/s\" or \"(km/s)^2/kpc\"");
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  Quantity product(int depth) {
    skip_blanks();
    Quantity q = factor(depth);
    while (true) {
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] == ')') return q;
      const bool divides = take("/");
      if (!divides) take("*");
      skip_blanks();
      const Quantity next = factor(depth);
      q = q * (divides ? to_power(next, -1) : next);
    }
  }

  Quantity factor(int depth) {
    const std::size_t begin = at_;
    Quantity q = atom(depth);
    if (!take("^") && !take("**") && !is_power_without_sign(begin)) return q;
    int n = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
    if (error != std::errc() || std::abs(n) > largest_power) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    return to_power(q, n);
  }

  /// Of a name, as "s-1" and "km2" have it.
  [[nodiscard]] bool is_power_without_sign(std::size_t begin) const {
    const auto is_digit = [this](std::size_t at) { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; };
    return is_letter(text_[begin]) && (is_digit(at_) || (at_ < text_.size() && text_[at_] == '-' && is_digit(at_ + 1)));
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  Quantity atom(int depth) {
    if (at_ >= text_.size() || depth > deepest) fail();
    if (take("(")) {
      const Quantity q = product(depth + 1);
      if (!take(")")) fail();
      return q;
    }
    const char c = text_[at_];
    if ((c >= '0' && c <= '9') || c == '.') return number();
    return name();
  }

  Quantity number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !(value > 0) || !std::isfinite(value)) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    return {value, 0, 0, 0};
  }

  Quantity name() {
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) fail();
    at_ = end;
    for (const std::string_view spelled : {word, usual_spelling(word)}) {
      for (const Named& unit : named_units) {
        if (unit.name == spelled) return {unit.cgs, unit.length, unit.mass, unit.time};
      }
    }
    throw UsageError(subject_, "received the unknown unit '" + std::string(word.substr(0, 60)) + "'", units_like(word));
  }

  std::string_view text_;
  const std::string& subject_;
  std::size_t at_ = 0;
};

double sized(std::string_view text, const std::string& subject, const Quantity& wanted, const char* what) {
  const Quantity q = quantity_from(text, subject);
  const bool fits = q.length == wanted.length && q.mass == wanted.mass && q.time == wanted.time;
  if (fits && q.cgs > 0 && std::isfinite(q.cgs)) return q.cgs;
  throw UsageError(subject, "received '" + std::string(text.substr(0, 60)) + "'", std::string("must be ") + what);
}

/// What `cgs` is called among the units of those powers: the shortest "NUMBER NAME", the number left out where it is 1.
std::string name_among(double cgs, int length, int mass, int time, const char* basic) {
  constexpr double same = 1e-6;
  std::string best;
  for (const Named& unit : named_units) {
    if (unit.length != length || unit.mass != mass || unit.time != time) continue;
    const double ratio = cgs / unit.cgs;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", ratio);
    double rounded = 0;
    const std::string_view digits = text.data();
    std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
    if (!(std::abs(rounded / ratio - 1) < same)) continue;
    const std::string found = (rounded == 1 ? "" : shortest(rounded) + " ") + std::string(unit.name);
    if (best.empty() || found.size() < best.size()) best = found;
  }
  return best.empty() ? shortest(cgs) + " " + basic : best;
}

/// "m/s": a length over a time, both of one word; empty where none is that fast.
std::string plain_velocity(double cm_per_s) {
  for (const Named& above : named_units) {
    if (above.length != 1) continue;
    for (const Named& below : named_units) {
      const bool is_it = below.time == 1 && std::abs(cm_per_s / (above.cgs / below.cgs) - 1) < 1e-6;
      if (is_it) return std::string(above.name) + "/" + std::string(below.name);
    }
  }
  return "";
}

std::string velocity_name(const Units& units) {
  const double km_per_s = units.velocity_cm_per_s / km_cm;
  if (std::abs(km_per_s - 1) < 1e-6) return "km/s";
  for (const Named& unit : named_units) {  // kpc/Gyr, AU/yr: the system's length in a time that has a name
    const double seconds = units.length_cm / units.velocity_cm_per_s;
    if (unit.time == 1 && std::abs(seconds / unit.cgs - 1) < 1e-6) {
      return unit_name(units, 1, 0, 0) + "/" + std::string(unit.name);
    }
  }
  std::string plain = plain_velocity(units.velocity_cm_per_s);
  if (!plain.empty()) return plain;
  return km_per_s > 0.1 ? shortest(km_per_s) + " km/s" : shortest(units.velocity_cm_per_s) + " cm/s";
}

/// "kpc", "kpc^3", "(km/s)^2".
std::string powered(const std::string& name, int n) {
  if (n == 1) return name;
  const bool is_one_word = name.find_first_of(" /") == std::string::npos;
  return (is_one_word ? name : "(" + name + ")") + "^" + std::to_string(n);
}

}  // namespace

Quantity quantity_from(std::string_view text, const std::string& subject) { return Reader(text, subject).all(); }

double length_from(std::string_view text, const std::string& subject) {
  return sized(text, subject, {1.0, 1, 0, 0}, "a length such as \"kpc\" or \"1e3 km\"");
}
double mass_from(std::string_view text, const std::string& subject) {
  return sized(text, subject, {1.0, 0, 1, 0}, "a mass such as \"Msun\" or \"1e10 Msun\"");
}
double velocity_from(std::string_view text, const std::string& subject) {
  return sized(text, subject, {1.0, 1, 0, -1}, "a velocity such as \"km/s\" or \"AU/yr\"");
}
double time_from(std::string_view text, const std::string& subject) {
  return sized(text, subject, {1.0, 0, 0, 1}, "a time such as \"Myr\" or \"s\"");
}

Units physical_units(double length_cm, double mass_g, double velocity_cm_per_s) {
  return {.length_cm = length_cm,
          .mass_g = mass_g,
          .velocity_cm_per_s = velocity_cm_per_s,
          .G = newton_g_cgs * mass_g / (length_cm * velocity_cm_per_s * velocity_cm_per_s),
          .physical = true};
}

Units Units::galactic() { return physical_units(kpc_cm, 1e10 * (sun_gm_cgs / newton_g_cgs), km_cm); }

std::vector<std::string_view> unit_systems() {
  std::vector<std::string_view> names{"nbody"};
  for (const System& system : systems) names.push_back(system.name);
  return names;
}

Units units_from(const std::string& text, const std::string& subject) {
  if (text == "nbody") return {};
  if (text == "galactic") return Units::galactic();
  for (const System& s : systems) {
    if (s.name != text) continue;
    return physical_units(length_from(s.length, subject), mass_from(s.mass, subject),
                          velocity_from(s.velocity, subject));
  }
  const std::size_t first = text.find(','), second = first == std::string::npos ? first : text.find(',', first + 1);
  if (second != std::string::npos) {
    const std::string_view all = text;
    return physical_units(length_from(all.substr(0, first), subject),
                          mass_from(all.substr(first + 1, second - first - 1), subject),
                          velocity_from(all.substr(second + 1), subject));
  }
  std::string known;
  for (const std::string_view name : unit_systems()) known += (known.empty() ? "" : ", ") + std::string(name);
  throw UsageError(subject, "received '" + text + "'",
                   "there are " + known + ", and LENGTH,MASS,VELOCITY such as \"kpc, 1e10 Msun, km/s\"");
}

std::string unit_name(const Units& units, int length, int mass, int velocity) {
  if (!units.physical) return "";
  std::string above, below;
  const auto add = [&](const std::string& name, int n) {
    std::string& to = n > 0 ? above : below;
    const bool is_product = name.find_first_of(" /") != std::string::npos;
    const std::string factor = n == -1 && is_product ? "(" + name + ")" : powered(name, std::abs(n));
    if (n != 0) to += (to.empty() ? "" : n > 0 ? " " : "/") + factor;
  };
  if (mass != 0) add(name_among(units.mass_g, 0, 1, 0, "g"), mass);
  const std::string way = name_among(units.length_cm, 1, 0, 0, "cm"),
                    speed = velocity == 0 ? "" : velocity_name(units);  // which asks for the name of a length
  if (length * velocity > 0 && speed.starts_with(way + "/")) {          // m^2/s, not m m/s
    add(way, length + velocity);
    add(speed.substr(way.size() + 1), -velocity);
  } else {
    if (length != 0) add(way, length);
    if (velocity != 0) add(speed, velocity);
  }
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + below;
}

std::string time_unit_name(const Units& units) {
  if (!units.physical) return "";
  const double seconds = units.length_cm / units.velocity_cm_per_s;
  std::string_view name = "s";
  double cgs = 1;
  for (const Named& unit : named_units) {  // the largest unit of which it is at least a tenth
    const bool is_time = unit.length == 0 && unit.mass == 0 && unit.time == 1;
    if (!is_time || seconds < 0.1 * unit.cgs || unit.cgs <= cgs) continue;
    name = unit.name;
    cgs = unit.cgs;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", seconds / cgs);
  return std::string(text.data()) == "1" ? std::string(name) : text.data() + (" " + std::string(name));
}

std::string described(const Units& units) {
  std::array<char, 48> g{};
  std::snprintf(g.data(), g.size(), units.physical ? " (G = %.6g)" : "G = %.6g", units.G);
  if (!units.physical) return g.data();
  const std::string name =
      unit_name(units, 1, 0, 0) + ", " + unit_name(units, 0, 1, 0) + ", " + unit_name(units, 0, 0, 1);
  return with_short_numbers(name) + g.data();
}

bool agree(const Units& a, const Units& b) {
  const auto near = [](double x, double y) { return std::abs(x / y - 1) < 1e-3; };
  if (a.physical != b.physical || !near(a.G, b.G)) return false;
  return !a.physical ||
         (near(a.length_cm, b.length_cm) && near(a.mass_g, b.mass_g) && near(a.velocity_cm_per_s, b.velocity_cm_per_s));
}

void convert(Snapshot& snapshot, const Units& to) {
  const Units from = snapshot.units;
  const bool have_sizes = from.physical && to.physical;
  const double length = have_sizes ? from.length_cm / to.length_cm : 1, mass = have_sizes ? from.mass_g / to.mass_g : 1;
  const double velocity = have_sizes ? from.velocity_cm_per_s / to.velocity_cm_per_s : std::sqrt(to.G / from.G);
  for_each_array(snapshot.particles, [&](auto& array, const FieldRow& row) {
    using Element = typename std::decay_t<decltype(array)>::value_type;
    const Dimension& d = row.dimension;
    const double factor = power(length, d.length) * power(mass, d.mass) * power(velocity, d.velocity);
    if (factor == 1) return;
    if constexpr (std::is_same_v<Element, double>) {
      for (double& x : array) x *= factor;
    } else if constexpr (std::is_same_v<Element, Vec3>) {
      for (Vec3& x : array) x = {factor * x[0], factor * x[1], factor * x[2]};
    }
  });
  snapshot.time *= length / velocity;
  snapshot.box_size *= length;
  for (double& edge : snapshot.boundary.size) edge *= length;
  snapshot.boundary.omega *= velocity / length;
  snapshot.boundary.omega_z *= velocity / length;
  snapshot.units = to;
  snapshot.has_units = true;
}

}  // namespace hornbeam
