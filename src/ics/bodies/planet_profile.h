// SPDX-License-Identifier: Apache-2.0
// A planet in hydrostatic balance, layer upon layer of materials: from masses and equations of state to density by
// radius. `planet` and `impact` fill it with particles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hornbeam/materials.h"

namespace hornbeam::ics {

/// What a material is under pressure: along an adiabat, or with a temperature that goes with a power of the density.
class Compression {
 public:
  struct Point {
    double density = 0, energy = 0, pressure = 0;
  };
  /// From the surface's pressure and temperature to the pressure `most`. exponent: of T ~ rho^exponent; below 0: at
  /// constant entropy.
  Compression(const Material& material, double surface, double temperature, double most, double exponent = -1);

  [[nodiscard]] Point at(double pressure) const;
  /// The energy that goes with a density; below the least one it stays that of the surface.
  [[nodiscard]] double energy_at(double density) const;

 private:
  std::vector<Point> points_;  ///< by ascending pressure and density
};

struct Layer {
  std::string asked;  ///< as open_material() takes it
  Material material;
  double fraction = 0;     ///< of the planet's mass
  double temperature = 0;  ///< of the material brought to the surface, K
};

/// "iron:0.3,granite:0.7:2000": from the centre outwards material, part of the mass and, if it differs, temperature.
/// Throws UsageError(subject, ...) where the parts do not add up to 1.
std::vector<Layer> layers_from(const std::string& text, double temperature, const Units& units,
                               const std::string& subject);

class PlanetProfile {
 public:
  struct Node {
    double radius = 0, mass = 0, density = 0, energy = 0, pressure = 0;
  };
  /// Of that mass. Throws Error where no pressure at the centre holds it up.
  PlanetProfile(std::vector<Layer> layers, double mass, double G, double exponent = -1);

  [[nodiscard]] double radius() const { return nodes_.back().back().radius; }
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
  [[nodiscard]] const Compression& compression(std::size_t layer) const { return compressions_[layer]; }
  /// Of a layer, from its lower side to its upper one.
  [[nodiscard]] const std::vector<Node>& nodes(std::size_t layer) const { return nodes_[layer]; }
  [[nodiscard]] double central_density() const { return nodes_.front().front().density; }
  /// Within that layer, by the mass below.
  [[nodiscard]] Node at_mass(std::size_t layer, double mass) const;

 private:
  /// Outwards from that pressure at the centre; the pressure at the surface, below 0 where it ends before.
  double integrate(double central_pressure);

  std::vector<Layer> layers_;
  double mass_, G_, surface_ = 0;
  std::vector<Compression> compressions_;
  std::vector<std::vector<Node>> nodes_;
};

/// The same by its radius.
PlanetProfile planet_of_radius(const std::vector<Layer>& layers, double radius, double G, double exponent = -1);

}  // namespace hornbeam::ics
