// SPDX-License-Identifier: Apache-2.0
// External potentials by themselves: what they give at positions, and the mass within a radius.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "binding.h"
#include "configuration.h"
#include "hornbeam/potential.h"
#include "run/config/config.h"

namespace hornbeam::python {
namespace {

struct Fields {
  std::vector<ExternalPotential> potentials;
  double G;
};

Fields fields_of(const Text& text) {
  const run::RunConfig config =
      run::parse_config(text.toml, text.overrides, text.subject, {.particles = true, .end = true});
  return {config.simulation.potentials, config.units ? config.units->G : 1.0};
}

/// (accelerations, potentials, densities)
nb::tuple external_values_at(const Text& text, const Vectors& positions, double time) {
  const Fields fields = fields_of(text);
  std::vector<Vec3> acceleration;
  std::vector<double> potential, density;
  for (const Vec3& position : vectors_from(positions)) {
    const ExternalValues found = external_values(fields.potentials, position, fields.G, time);
    acceleration.push_back(found.acceleration);
    potential.push_back(found.potential);
    density.push_back(found.density);
  }
  return nb::make_tuple(array_of(std::move(acceleration)), array_of(std::move(potential)),
                        array_of(std::move(density)));
}

/// Of each radius, summed over potentials.
nb::object external_mass(const Text& text, const Numbers& radii) {
  const Fields fields = fields_of(text);
  std::vector<double> mass;
  for (const double radius : numbers_from(radii)) {
    double sum = 0;
    for (const ExternalPotential& one : fields.potentials) sum += mass_within(one, radius, fields.G);
    mass.push_back(sum);
  }
  return array_of(std::move(mass));
}

}  // namespace

void bind_external(nb::module_& m) {
  m.def("external_values", &external_values_at, nb::arg("text"), nb::arg("positions"), nb::arg("time"));
  m.def("external_mass", &external_mass, nb::arg("text"), nb::arg("radii"));
}

}  // namespace hornbeam::python
