// SPDX-License-Identifier: Apache-2.0
// Hydrostatic balance, see planet_profile.h: dr/dm = 1 / (4 pi r^2 rho), dP/dm = -G m / (4 pi r^4), in steps of the
// cube root of m, with which r and P are smooth at the centre.
#include "ics/bodies/planet_profile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/settings.h"

namespace hornbeam::ics {
namespace {

constexpr int steps_of_layer = 400;
constexpr double thin = 1e-6;  // pressure at the surface, in those at the centre of a planet that is not compressed

double uncompressed_density(const std::vector<Layer>& layers) {
  double volume = 0;
  for (const Layer& layer : layers) volume += layer.fraction / layer.material.reference_density();
  return 1 / volume;
}

/// At the centre of a uniform body.
double uniform_pressure(double mass, double density, double G) {
  const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * density));
  return 3 * G * mass * mass / (8 * std::numbers::pi * std::pow(radius, 4));
}

double number_from(const std::string& text, const std::string& subject) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value)) {
    throw UsageError(subject, "received '" + text + "'", "give numbers above 0, such as iron:0.3,granite:0.7:2000");
  }
  return value;
}

std::vector<std::string> parts_of(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Compression::Compression(const Material& material, double surface, double temperature, double most, double exponent) {
  const double density = material.density_at(surface, temperature);
  points_.push_back({density, material.energy_at(density, temperature), surface});
  if (exponent < 0) {
    const Adiabat adiabat(material, density, points_.front().energy, most);
    constexpr int points = 4000;
    // even in the square root: the density goes fastest where the pressure is small compared with the bulk modulus
    for (int i = 1; i <= points; ++i) {
      const double part = static_cast<double>(i) / points;
      const Adiabat::Point p = adiabat.at(surface + part * part * (most - surface));
      points_.push_back({p.density, p.energy, p.pressure});
    }
    return;
  }
  constexpr double step = 5e-4;  // of ln rho
  for (double x = step; points_.back().pressure < most; x += step) {
    const double rho = density * std::exp(x), u = material.energy_at(rho, temperature * std::exp(exponent * x));
    const double pressure = material.pressure(rho, u);
    if (pressure > points_.back().pressure) points_.push_back({rho, u, pressure});
    if (x > 8)
      throw Error("planet", "the pressure is beyond the range of its material",
                  "give a smaller mass or a lower temperature");
  }
}

Compression::Point Compression::at(double pressure) const {
  const auto above = std::upper_bound(points_.begin() + 1, points_.end() - 1, pressure,
                                      [](double value, const Point& p) { return value < p.pressure; });
  const Point &a = *(above - 1), &b = *above;
  const double part = std::clamp((pressure - a.pressure) / (b.pressure - a.pressure), 0.0, 1.0);
  return {a.density + part * (b.density - a.density), a.energy + part * (b.energy - a.energy), pressure};
}

double Compression::energy_at(double density) const {
  const auto above = std::upper_bound(points_.begin() + 1, points_.end() - 1, density,
                                      [](double value, const Point& p) { return value < p.density; });
  const Point &a = *(above - 1), &b = *above;
  const double part = std::clamp((density - a.density) / (b.density - a.density), 0.0, 1.0);
  return a.energy + part * (b.energy - a.energy);
}

std::vector<Layer> layers_from(const std::string& text, double temperature, const Units& units,
                               const std::string& subject) {
  std::vector<Layer> layers;
  double sum = 0;
  for (const std::string& one : parts_of(text, ',')) {
    const std::vector<std::string> parts = parts_of(one, ':');
    if (parts.size() > 3 || parts.front().empty()) {
      throw UsageError(subject, "received '" + one + "'",
                       "write MATERIAL:FRACTION[:TEMPERATURE], such as iron:0.3,granite:0.7");
    }
    const double fraction = parts.size() > 1 ? number_from(parts[1], subject) : 1;
    layers.push_back({parts.front(), open_material(parts.front(), units, subject), fraction,
                      parts.size() > 2 ? number_from(parts[2], subject) : temperature});
    sum += fraction;
    if (!(layers.back().material.reference_density() > 0)) {
      throw UsageError(subject, parts.front() + " has no reference density",
                       "give a layer of rock, metal, ice or water");
    }
  }
  if (std::abs(sum - 1) > 1e-6) {
    throw UsageError(subject, "its mass fractions add up to " + shown(sum), "they must add up to 1");
  }
  return layers;
}

PlanetProfile::PlanetProfile(std::vector<Layer> layers, double mass, double G, double exponent)
    : layers_(std::move(layers)), mass_(mass), G_(G) {
  const double usual = uniform_pressure(mass, uncompressed_density(layers_), G);
  surface_ = thin * usual;
  double low = 0.1 * usual, high = 40 * usual;  // compressed by half its radius, pressures are 16 times as high
  for (const Layer& layer : layers_) {
    compressions_.emplace_back(layer.material, surface_, layer.temperature, 1.01 * high, exponent);
  }
  if (integrate(high) < surface_) {
    throw Error("planet", "no central pressure supports a mass of " + shown(mass), "give a smaller mass");
  }
  if (integrate(low) > surface_) {
    throw Error("planet", "its mass of " + shown(mass) + " is too hot to be bound", "give a lower temperature");
  }
  while (high - low > 1e-12 * high) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (integrate(middle) > surface_ ? high : low) = middle;
  }
  integrate(high);
}

double PlanetProfile::integrate(double central_pressure) {
  const double M3 = std::cbrt(mass_);
  struct State {
    double r, P;
  };
  nodes_.assign(layers_.size(), {});
  State at{0, central_pressure};
  double below = 0;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Compression& matter = compressions_[l];
    const double above = l + 1 < layers_.size() ? below + layers_[l].fraction : 1;
    const double from = std::cbrt(below) * M3, h = (std::cbrt(above) * M3 - from) / steps_of_layer;
    const auto slope = [&](double q, const State& s) {
      const double rho = matter.at(s.P).density;
      if (s.r <= 0) return State{std::cbrt(3 / (4 * std::numbers::pi * rho)), 0};
      const double area = 4 * std::numbers::pi * s.r * s.r;
      return State{3 * q * q / (area * rho), -3 * G_ * std::pow(q, 5) / (area * s.r * s.r)};
    };
    const auto note = [&](double q) {
      const Compression::Point p = matter.at(at.P);
      nodes_[l].push_back({at.r, q * q * q, p.density, p.energy, at.P});
    };
    note(from);
    for (int i = 0; i < steps_of_layer; ++i) {
      const double q = from + h * i;
      const auto moved = [&](const State& s, double f) { return State{at.r + f * s.r, at.P + f * s.P}; };
      const State a = slope(q, at), b = slope(q + h / 2, moved(a, h / 2));
      const State c = slope(q + h / 2, moved(b, h / 2)), d = slope(q + h, moved(c, h));
      at.r += h / 6 * (a.r + 2 * b.r + 2 * c.r + d.r);
      at.P += h / 6 * (a.P + 2 * b.P + 2 * c.P + d.P);
      if (at.P < 0) return -1;
      note(q + h);
    }
    below = above;
  }
  return at.P;
}

PlanetProfile::Node PlanetProfile::at_mass(std::size_t layer, double mass) const {
  const std::vector<Node>& all = nodes_[layer];
  const auto above = std::upper_bound(all.begin() + 1, all.end() - 1, mass,
                                      [](double value, const Node& node) { return value < node.mass; });
  const Node &a = *(above - 1), &b = *above;
  // between two nodes radii go as the cube root of the mass
  const auto root = [](double m) { return std::cbrt(m); };
  const double part = std::clamp((root(mass) - root(a.mass)) / (root(b.mass) - root(a.mass)), 0.0, 1.0);
  const auto mixed = [part](double x, double y) { return x + part * (y - x); };
  return {mixed(a.radius, b.radius), mass, mixed(a.density, b.density), mixed(a.energy, b.energy),
          mixed(a.pressure, b.pressure)};
}

PlanetProfile planet_of_radius(const std::vector<Layer>& layers, double radius, double G, double exponent) {
  const double uncompressed = 4 * std::numbers::pi / 3 * uncompressed_density(layers) * std::pow(radius, 3);
  double low = 0.5 * uncompressed, high = 8 * uncompressed;
  while (high - low > 1e-9 * high) {
    const double middle = std::sqrt(low * high);
    const bool holds = [&] {
      try {
        return PlanetProfile(layers, middle, G, exponent).radius() < radius;
      } catch (const Error&) {
        return false;  // too much
      }
    }();
    (holds ? low : high) = middle;
  }
  PlanetProfile found(layers, low, G, exponent);
  if (std::abs(found.radius() / radius - 1) > 1e-4) {
    throw Error("planet", "no planet of any mass has a radius of " + shown(radius),
                "give a smaller radius, or the mass");
  }
  return found;
}

}  // namespace hornbeam::ics
