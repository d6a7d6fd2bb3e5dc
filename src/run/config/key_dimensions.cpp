// SPDX-License-Identifier: Apache-2.0
// The table of dimensions, see key_dimensions.h.
#include "run/config/key_dimensions.h"

namespace hornbeam::run {

const std::vector<KeyDimension>& key_dimensions() {
  constexpr Dimension length{.length = 1}, mass{.mass = 1}, velocity{.velocity = 1}, density{.length = -3, .mass = 1};
  constexpr Dimension time = time_dimension, frequency{.length = -1, .velocity = 1};
  static const std::vector<KeyDimension> table = {{"gravity", "eps", length},
                                                  {"potential", "mass", mass},
                                                  {"potential", "speed", velocity},
                                                  {"potential", "scale", length},
                                                  {"potential", "height", length},
                                                  {"potential", "centre", length},
                                                  {"potential", "velocity", velocity},
                                                  {"time", "dt", time},
                                                  {"time", "start", time},
                                                  {"time", "end", time},
                                                  {"boundary", "size", length},
                                                  {"boundary", "omega", frequency},
                                                  {"boundary", "omega_z", frequency},
                                                  {"collisions", "speed", velocity},
                                                  {"collisions", "speeds", velocity},
                                                  {"collisions", "minimum_velocity", velocity},
                                                  {"collisions", "record_above", velocity},
                                                  {"gas", "sound_speed", velocity},
                                                  {"gas", "critical_density", density},
                                                  {"gas", "densities", density},
                                                  {"gas", "max_smoothing_length", length},
                                                  {"output", "every", time},
                                                  {"output", "times", time},
                                                  {"output", "energy_every", time},
                                                  {"output", "black_holes_every", time},
                                                  {"output", "ring_every", time},
                                                  {"output", "checkpoint_every", time},
                                                  {"output", "groups_linking_length", length},
                                                  {"output", "groups_linking_density", density},
                                                  {"output", "wall_every", {}, "s"},
                                                  {"output", "wall_limit", {}, "s"}};
  return table;
}

}  // namespace hornbeam::run
