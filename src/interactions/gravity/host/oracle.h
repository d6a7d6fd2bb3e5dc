// SPDX-License-Identifier: Apache-2.0
// Direct summation in fp64 on the CPU: what every walk is checked against.
#pragma once

#include <array>
#include <vector>

#include "device/host/instruction_set.h"
#include "hornbeam/gravity.h"
#include "interactions/gravity/lattice/scales.h"
#include "tree/images.h"

namespace hornbeam::fp64 {

/// Accelerations and potentials (count, 4) of particles `which` of `all` by direct summation over all their images;
/// options: eps, softening, G.
void sum_directly(InstructionSet isa, int threads, const Particles& all, const std::vector<std::size_t>& which,
                  const GravityOptions& options, std::vector<std::array<double, 4>>& acc,
                  const std::vector<SourceImage>& images = one_image);

/// The size that errors of an accuracy count against (physics/accuracy.h), of a force (x, y, z, potential) by `mass`
/// times G in each of `images`. A lattice counts as one image.
double demanded_pull_of(const std::array<double, 4>& force, double mass, std::size_t images = 1,
                        const LatticeScales& lattice = {});

}  // namespace hornbeam::fp64
