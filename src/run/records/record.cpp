// SPDX-License-Identifier: Apache-2.0
// Records of runs as JSON, see record.h.
#include "run/records/record.h"

#include <algorithm>
#include <cstdlib>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "hornbeam/version.h"
#include "run/config/config_json.h"

namespace hornbeam::run {
namespace {

Json begun() { return {{"program", "Hornbeam"}, {"version", version}, {"commit", commit}}; }

Json softening_of(const Simulation& simulation) {
  const GravityOptions& gravity = simulation.options().gravity;
  Json json = {{"kernel", name(gravity.softening)}};
  json["eps"] = gravity.eps >= 0 ? Json(gravity.eps) : Json("each particle's own");
  return json;
}

}  // namespace

std::string record_of(const Simulation& simulation, const Json& configuration) {
  Json json = begun();
  json["configuration"] = configuration;
  Json& kept = json["configuration"];
  kept.erase("output");
  kept.erase("watchdog");
  kept["time"].erase("end");
  for (const char* key : {"backend", "device", "threads"}) kept["device"].erase(key);
  json["softening"] = softening_of(simulation);
  for (const auto& force : simulation.options().forces) {
    json["own_forces"].push_back({{"name", force->name}, {"in_energies", bool(force->potential)}});
  }
  return json.dump(1);
}

std::string record_of(const ModelRequest& request) {
  Json json = begun();
  Json& ic = json["configuration"]["ic"] = {{"model", request.model}, {"seed", request.seed}};
  if (request.n) ic["n"] = *request.n;
  for (const auto& [option, value] : request.options) ic[option] = value;
  json["configuration"]["units"] = described(request.units.value_or(Units{}));
  return json.dump(1);
}

Boundary boundary_from(const Json& section) {
  Boundary b;
  b.kind = parse<BoundaryKind>("boundary.kind", section.value("kind", std::string("open")));
  b.size = section.value("size", Vec3{});
  const auto images = [&](const char* key) {
    const auto found = section.find(key);
    return found == section.end() || found->is_null() ? Boundary::not_given : found->get<int>();
  };
  b.n_ghost = {images("n_ghost_x"), images("n_ghost_y"), images("n_ghost_z")};
  b.omega = section.value("omega", 0.0);
  b.omega_z = section.value("omega_z", 0.0);
  b.validate();
  return b;
}

namespace {

/// What is null was replaced by another key.
std::optional<double> number_in(const Json& section, const char* key) {
  const auto found = section.find(key);
  return found == section.end() || found->is_null() ? std::nullopt : std::optional(found->get<double>());
}

/// The gas model that the particles themselves bring.
void take(const GasParameters& gas, Recorded& found) {
  if (gas.gamma > 1) found.gamma = gas.gamma;
  for (const SphKernel kernel :
       {SphKernel::wendland_c2, SphKernel::wendland_c4, SphKernel::wendland_c6, SphKernel::cubic}) {
    if (gas.kernel == name(kernel)) found.kernel_of_gas = kernel;  // else another program's
  }
  if (gas.neighbours > 0) found.gas_neighbours = gas.neighbours;
  if (gas.mean_weight > 0) found.mean_weight_of_gas = gas.mean_weight;
  found.eos_of_gas = gas.equation_of_state;
}

/// The same the other way round; none where nothing is reported.
std::optional<GasParameters> gas_of(const Recorded& then) {
  if (then.eos_of_gas.empty()) return {};
  GasParameters gas;
  gas.equation_of_state = then.eos_of_gas;
  gas.gamma = then.gamma;
  gas.mean_weight = then.mean_weight_of_gas.value_or(0);
  return gas;
}

}  // namespace

Recorded recorded(const std::string& record, const std::string& subject, const std::optional<GasParameters>& gas_then) {
  const Json json = Json::parse(record, nullptr, false);
  Recorded found;
  try {
    if (gas_then) take(*gas_then, found);
    if (!json.is_object() || !json.contains("configuration")) return found;
    const Json& configuration = json.at("configuration");
    found.potentials.emplace();
    for (const Json& one : configuration.value("potential", Json::array())) {
      found.potentials->push_back(potential_from(one, "potential"));
    }
    const Json gravity = configuration.value("gravity", Json::object());
    if (gravity.contains("softening")) {
      found.kernel = parse<Softening>("softening", gravity.at("softening").get<std::string>());
    }
    found.theta = number_in(gravity, "theta");
    found.accuracy = number_in(gravity, "accuracy");
    const auto word = [&](const char* section, const char* key, const std::string& otherwise) {
      return configuration.value(section, Json::object()).value(key, otherwise);
    };
    found.boundary = boundary_from(configuration.value("boundary", Json::object()));
    for (const char* section : {"boundary", "gas"}) {  // each where it has the key, of the one option behind both
      found.self_gravity = configuration.value(section, Json::object()).value("self_gravity", found.self_gravity);
    }
    found.collisions = parse<CollisionLaw>("collisions.law", word("collisions", "law", "none"));
    found.model = word("ic", "model", "");
    const Json drawn_with = configuration.value("ic", Json::object());
    for (const auto& [option, value] : drawn_with.items()) {
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      char* end = nullptr;
      const double number = std::strtod(text.c_str(), &end);
      if (end != text.c_str()) found.model_numbers[option] = number;
    }
    const auto drawn = found.model_numbers.find("gamma");
    found.gamma = drawn != found.model_numbers.end() ? drawn->second : found.gamma;
    const Json gas = configuration.value("gas", Json::object());
    found.gamma = gas.value("gamma", found.gamma);
    if (gas.contains("eos") && gas.at("eos") != "none")
      found.eos_of_gas = gas.at("eos").get<std::string>();
    else if (drawn != found.model_numbers.end())
      found.eos_of_gas = name(EquationOfState::ideal);
    found.kernel_of_gas = parse<SphKernel>("gas.kernel", word("gas", "kernel", std::string(name(found.kernel_of_gas))));
    found.gas_softening = parse<GasSoftening>("gas.softening", word("gas", "softening", "fixed"));
    found.gas_neighbours = gas.value("neighbours", found.gas_neighbours);
    found.bias_correction_of_gas = gas.value("bias_correction", false);
    found.largest_smoothing_of_gas = gas.value("max_smoothing_length", 0.0);
    found.sound_speed_of_gas = gas.value("sound_speed", 0.0);
    found.critical_density_of_gas = gas.value("critical_density", 0.0);
    if (gas.contains("mean_weight")) found.mean_weight_of_gas = gas.at("mean_weight").get<double>();
  } catch (const std::exception& damage) {  // of JSON's types, or values out of range
    throw Error(subject, std::string("the record of its run is damaged: ") + damage.what());
  }
  return found;
}

std::optional<bool> Recorded::gas_is_ideal() const {
  return eos_of_gas.empty() ? std::nullopt : std::optional(eos_of_gas == name(EquationOfState::ideal));
}

GasOptions energies_of_gas(const Recorded& run) {
  GasOptions gas;
  const auto flows_by = [&](EquationOfState eos) { return run.eos_of_gas == name(eos); };
  if (flows_by(EquationOfState::isothermal) && run.sound_speed_of_gas > 0) gas.eos = EquationOfState::isothermal;
  if (flows_by(EquationOfState::barotropic) && run.critical_density_of_gas > 0) gas.eos = EquationOfState::barotropic;
  gas.gamma = run.gamma;
  gas.sound_speed = run.sound_speed_of_gas;
  gas.critical_density = run.critical_density_of_gas;
  gas.kernel = run.kernel_of_gas;
  gas.neighbours = run.gas_neighbours;
  gas.softening = run.gas_softening;
  gas.bias_correction = run.bias_correction_of_gas;
  gas.max_smoothing_length = run.largest_smoothing_of_gas;
  return gas;
}

std::string within_walls_note(const Snapshot& snapshot) {
  if (snapshot.boundary.kind == BoundaryKind::open && snapshot.box_size <= 0) return "";
  return "WARNING: centres, radii and profiles ignore that the box is periodic, and are wrong for structures across a "
         "wall";
}

std::string without_images(const std::string& what) { return what + " do not include the images of the run's box"; }

void settle_from_record(Snapshot& snapshot, const std::filesystem::path& file) {
  const bool has_box = snapshot.boundary.kind != BoundaryKind::open || snapshot.box_size > 0;
  const auto& families = snapshot.particles.family;
  const bool lacks_gas = !snapshot.gas && std::find(families.begin(), families.end(), Family::gas) != families.end();
  if (has_box && !lacks_gas) return;
  try {
    const Recorded then = recorded(read_record(file), file.string());
    if (!has_box) snapshot.set_boundary(then.boundary);
    if (lacks_gas) snapshot.gas = gas_of(then);
  } catch (const Error& damage) {  // the particles are whole
    snapshot.notes.push_back(std::string(damage.what()) + ": the box of its run is unknown");
  }
}

}  // namespace hornbeam::run
