// SPDX-License-Identifier: Apache-2.0
// `hornbeam analyze`: energies, Lagrangian radii and profiles of snapshots.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "cli/common.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"

namespace hornbeam::cli {
namespace {

struct AnalyzeCommand {
  std::vector<std::string> files;
  bool energy = false, lagrangian = false, profile = false, ring = false, groups = false, json = false;
  SimulationOptions options;  ///< of which eps is used
};

const std::vector<double> lagrangian_fractions = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9};

Json energy_json(const Snapshot& snapshot, double eps) {
  const Energies e = analysis::energies(snapshot, eps);
  return {{"time", snapshot.time},
          {"kinetic", e.kinetic},
          {"potential", e.potential},
          {"total", e.total()},
          {"momentum", e.momentum},
          {"angular_momentum", e.angular_momentum},
          {"virial_ratio", e.potential == 0.0 ? 0.0 : 2.0 * e.kinetic / std::abs(e.potential)}};
}

Json profile_json(const Snapshot& snapshot) {
  const analysis::Profile p = analysis::profile(snapshot.particles, snapshot.units.G);
  return {{"radius", p.radius}, {"density", p.density}, {"mass", p.mass}, {"circular_velocity", p.circular_velocity}};
}

Json measures(const AnalyzeCommand& command, const Snapshot& snapshot) {
  Json json = Json::object();
  if (command.energy) json.update(energy_json(snapshot, command.options.gravity.eps));
  if (command.lagrangian) {
    json["fractions"] = lagrangian_fractions;
    json["radii"] = analysis::lagrangian_radii(snapshot.particles, lagrangian_fractions);
  }
  if (command.profile) json.update(profile_json(snapshot));
  return json;
}

void print_measures(const std::string& file, const Json& json) {
  fmt::print("{}\n", file);
  for (const auto& [key, value] : json.items()) {
    if (value.is_number()) fmt::print("  {:<18}{:.6g}\n", key, value.get<double>());
    if (value.is_array()) fmt::print("  {:<18}{:.5g}\n", key, fmt::join(value.get<std::vector<double>>(), " "));
  }
}

void analyze(const AnalyzeCommand& command) {
  if (command.ring || command.groups) {
    throw UsageError(command.ring ? "--ring" : "--groups", "is not built in this version",
                     "there are --energy, --lagrangian and --profile");
  }
  if (!command.energy && !command.lagrangian && !command.profile) {
    throw UsageError("analyze", "nothing to measure", "give --energy, --lagrangian or --profile");
  }
  Json list = Json::array();
  for (const std::string& file : command.files) {
    Snapshot snapshot = read_snapshot(file);
    snapshot.particles.validate(file);
    list.push_back(measures(command, snapshot));
    if (!command.json) print_measures(file, list.back());
  }
  if (command.json) fmt::print("{}\n", (list.size() == 1 ? list.front() : list).dump(2));
}

}  // namespace

void add_analyze(CLI::App& program) {
  CLI::App* command = program.add_subcommand("analyze", "Energies, Lagrangian radii and profiles of snapshots");
  const auto options = std::make_shared<AnalyzeCommand>();
  command->add_option("FILE", options->files, "snapshots")->required();
  command->add_flag("--energy", options->energy, "kinetic and potential energy, momenta, 2K/|W|");
  command->add_flag("--lagrangian", options->lagrangian, "radii that hold fractions of the mass");
  command->add_flag("--profile", options->profile, "density, mass and circular velocity by radius");
  command->add_flag("--ring", options->ring, "not built yet");
  command->add_flag("--groups", options->groups, "not built yet");
  add_key_flags(*command, options->options, {"eps"});
  command->add_flag("--json", options->json, "one JSON object, or a list for several files");
  command->callback([options] { analyze(*options); });
}

}  // namespace hornbeam::cli
