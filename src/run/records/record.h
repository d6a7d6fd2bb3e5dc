// SPDX-License-Identifier: Apache-2.0
// What made a snapshot, as text inside of it: written by runs and `hornbeam ic`, read by whoever wants to know.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/simulation.h"
#include "io/json.h"
#include "run/config/model_request.h"

namespace hornbeam::run {

/// JSON of the version, the configuration as understood and the softening. What changes no motion (outputs, the end,
/// threads) is left out: the same run, resumed or not, writes the same bytes.
std::string record_of(const Simulation& simulation, const Json& configuration);
/// The same of what was drawn.
std::string record_of(const ModelRequest& request);

/// What such a text states about a run; empty what it does not show, as a text of another program or none at all.
struct Recorded {
  std::optional<std::vector<ExternalPotential>> potentials;  ///< that acted; known to be none of what `ic` has drawn
  std::optional<Softening> kernel;
  std::optional<double> theta, accuracy;  ///< of which one decided how exact forces were
  Boundary boundary;
  bool self_gravity = true;
  CollisionLaw collisions = CollisionLaw::none;
  std::string model;                            ///< that was drawn; empty: none
  std::map<std::string, double> model_numbers;  ///< its options that are numbers
  double gamma = 5.0 / 3.0;                     ///< of the gas
  std::string eos_of_gas;                       ///< as gas.eos, of a run or of what was drawn; empty: not told
  SphKernel kernel_of_gas = SphKernel::wendland_c2;
  double gas_neighbours = 0;  ///< as GasOptions has it
  std::optional<double> mean_weight_of_gas;
  GasSoftening gas_softening = GasSoftening::fixed;
  bool bias_correction_of_gas = false;
  double largest_smoothing_of_gas = 0;                         ///< 0: none
  double sound_speed_of_gas = 0, critical_density_of_gas = 0;  ///< of the equations of state that have them

  [[nodiscard]] std::optional<bool> gas_is_ideal() const;
};
/// gas_then: what the particles themselves state about theirs, where the record is silent. Throws Error(subject) for
/// what no run can have written.
Recorded recorded(const std::string& record, const std::string& subject,
                  const std::optional<GasParameters>& gas_then = {});

/// How gas of that run was softened, and what its free energy goes by, for energies.
GasOptions energies_of_gas(const Recorded& run);

/// What is reported of a measure of particles in a box, whose images it does not take.
std::string without_images(const std::string& what);
/// That radii end at the walls of the box that the particles are in; empty where there are none.
std::string within_walls_note(const Snapshot& snapshot);

/// Gives the snapshot of a file that names no boundary or no parameters of gas, as checkpoints and those of earlier
/// versions, those of its record. What it holds must be in the units of that run.
void settle_from_record(Snapshot& snapshot, const std::filesystem::path& file);

/// The boundary that a configuration's section of that name says, as to_json() writes it.
Boundary boundary_from(const Json& section);

}  // namespace hornbeam::run
