// SPDX-License-Identifier: Apache-2.0
// Distributions of particles that a tree code meets or dreads, by name: the models of hornbeam::ics and shapes that
// only tests and benchmarks want. The order in which they are on input is chosen here, too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hornbeam/ics.h"
#include "hornbeam/particles.h"

namespace hornbeam::cli {

struct Shape {
  std::string name;
  std::string summary;
  Particles (*draw)(std::size_t n, ics::Seed seed);
};

/// Shapes that are no models of ics: each has total mass 1 and some thing that costs a careless tree code dearly.
const std::vector<Shape>& shapes();

/// n particles of the model or shape of this name, at most: a lattice takes the largest cube below n.
/// Throws UsageError(name, ...) where there is neither.
Particles draw_shape(const std::string& name, std::size_t n, ics::Seed seed = {});

/// Whether draw_shape() knows it.
bool is_shape(const std::string& name);

/// How particles are in memory when they are handed over.
enum class InputOrder { as_made, shuffled, sorted };
std::string to_string(InputOrder order);

/// Random order by a fixed seed, or along the Hilbert curve of the cube about all; ids travel with their particles.
void put_in_order(Particles& particles, InputOrder order);

}  // namespace hornbeam::cli
