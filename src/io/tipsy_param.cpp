// SPDX-License-Identifier: Apache-2.0
// The `.param` file next to a Tipsy file, from which yt, pynbody and Hornbeam take its units.
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/cosmology.h"
#include "io/layout.h"
#include "io/tipsy.h"

namespace hornbeam::io {
namespace {

namespace fs = std::filesystem;

struct Param {
  double kpc = 0, solar_masses = 0;
  GasParameters gas;  ///< as far as it says; the mean weight is otherwise that of ChaNGa and Gasoline
  bool comoving = false;
  double hubble = 0, omega_matter = 0, omega_lambda = 0;
};

/// How the files begin that write_tipsy_param() writes.
constexpr std::string_view our_beginning = "dKpcUnit = 1\ndMsolUnit = 1e10\nbComove = 0\nbPeriodic = 0\n";

fs::path own_param(const fs::path& path) { return fs::path(path).replace_extension(".param"); }

double positive_number(std::string_view text, const fs::path& file, const std::string& key) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    throw Error(file.string(), key + " = " + std::string(text) + ": must be a positive number");
  }
  return value;
}

struct Key {
  const char* name;
  double* to;
};

/// Nothing where the file does not hold both units.
std::optional<Param> read_param(const fs::path& file) {
  const std::string all = read_text(file);
  std::istringstream in(all);
  Param param;
  const std::array numbers{Key{"dKpcUnit", &param.kpc}, Key{"dMsolUnit", &param.solar_masses},
                           Key{"dConstGamma", &param.gas.gamma}, Key{"dMeanMolWeight", &param.gas.mean_weight}};
  const std::array of_cosmology{Key{"dHubble0", &param.hubble}, Key{"dOmega0", &param.omega_matter},
                                Key{"dLambda", &param.omega_lambda}};
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trimmed(text.substr(0, equals));
    const std::string_view value = trimmed(text.substr(equals + 1));
    for (const auto& [name, to] : numbers) {
      if (key == name) *to = positive_number(value, file, name);
    }
    for (const auto& [name, to] : of_cosmology) {  // 0 is usual
      if (key == name) std::from_chars(value.data(), value.data() + value.size(), *to);
    }
    if (key == "bComove") param.comoving = value != "0";
  }
  if (param.kpc == 0 || param.solar_masses == 0) return std::nullopt;
  // earlier versions left it out where it was 0.6
  if (param.gas.mean_weight == 0) param.gas.mean_weight = all.starts_with(our_beginning) ? 0.6 : 1;
  return param;
}

std::vector<fs::path> params_beside(const fs::path& path) {
  std::vector<fs::path> found;
  std::error_code error;
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;  // FIFOs and devices have no units
    if (entry->path().extension() == ".param" && entry->is_regular_file(unknown)) found.push_back(entry->path());
  }
  return found;
}

/// The file whose units apply to `path`: its own, otherwise the only one in its directory.
std::optional<fs::path> applying_param(const fs::path& path) {
  if (fs::exists(own_param(path))) return own_param(path);
  const std::vector<fs::path> all = params_beside(path);
  if (all.size() == 1) return all.front();
  return std::nullopt;
}

/// Whether a reader takes from it the units that physical snapshots are written in.
bool says_what_is_written(const fs::path& file) {
  const std::optional<Param> param = read_param(file);
  return param && param->kpc == 1.0 && param->solar_masses == 1e10;
}

}  // namespace

Units tipsy_units(double kpc, double solar_masses) {
  const Units galactic = Units::galactic();
  const double length_cm = kpc * galactic.length_cm, mass_g = solar_masses * (galactic.mass_g / 1e10);
  // the velocity at which G becomes 1
  Units units = physical_units(length_cm, mass_g, std::sqrt(physical_units(length_cm, mass_g, 1.0).G));
  units.G = 1.0;
  return units;
}

namespace {

/// Of a comoving run, whose time is the scale factor; velocities are those of ChaNGa, a times theirs is peculiar.
Cosmology cosmology_of(const Param& param, const Snapshot& snapshot) {
  const Units& units = snapshot.units;
  const double per_time = units.velocity_cm_per_s / units.length_cm, hundred = 1e7 / 3.0856775814913673e24;
  return {.a = snapshot.time > 0 && snapshot.time < 10 ? snapshot.time : 0,
          .h = param.hubble * per_time / hundred,
          .per_h = false,
          .velocity_of_a = 1,
          .omega_matter = param.omega_matter,
          .omega_lambda = param.omega_lambda};
}

}  // namespace

void read_tipsy_param(const fs::path& path, const ReadOptions& options, Snapshot& snapshot) {
  const std::optional<fs::path> file = applying_param(path);
  if (!file) return;
  const std::optional<Param> param = read_param(*file);
  if (!param) return;
  snapshot.units = tipsy_units(param->kpc, param->solar_masses);
  snapshot.has_units = true;
  const double kelvin = kelvin_per_energy(snapshot.units, param->gas);
  for (double& u : snapshot.particles.internal_energy) u /= kelvin;
  if (param->gas.gamma > 1) snapshot.gas = param->gas;
  snapshot.notes.push_back("units from " + file->filename().string() + " (dKpcUnit, dMsolUnit)");
  if (!param->comoving) return add_if(snapshot.notes, options.physical, not_cosmological);
  const Cosmology cosmology = cosmology_of(*param, snapshot);
  if (!options.physical) return leave_comoving(cosmology, snapshot);
  make_physical(cosmology, path.string(), snapshot, [](const FieldRow& row) -> std::optional<Scaling> {
    return std::string_view(row.name) == "potential" ? std::optional(Scaling{-1, 0}) : std::nullopt;
  });
}

namespace {

double mean_weight_of(const std::optional<GasParameters>& gas) {
  constexpr double usual_weight = 0.6;
  return gas && gas->mean_weight > 0 ? gas->mean_weight : usual_weight;
}

}  // namespace

double kelvin_per_energy(const Units& units, const std::optional<GasParameters>& gas) {
  constexpr double proton_over_boltzmann = 1.67262192e-24 / 1.380649e-16, usual_gamma = 5.0 / 3;
  if (!units.physical) return 1;
  const double gamma = gas && gas->gamma > 1 ? gas->gamma : usual_gamma;
  const double weight = mean_weight_of(gas);
  return (gamma - 1) * weight * proton_over_boltzmann * units.velocity_cm_per_s * units.velocity_cm_per_s;
}

namespace {

/// Whether energies that are written as temperatures come back from next to that file.
bool says_which_gas(const fs::path& file, const Snapshot& snapshot) {
  if (snapshot.particles.internal_energy.empty()) return true;
  const std::optional<Param> param = read_param(file);
  const double then = kelvin_per_energy(snapshot.units, snapshot.gas);
  constexpr double rounding = 1e-9;
  return param && std::abs(kelvin_per_energy(snapshot.units, param->gas) - then) <= rounding * then;
}

}  // namespace

void check_tipsy_param(const fs::path& path, const Units& units) {
  const fs::path own = own_param(path);
  if (own == path) {
    throw UsageError(path.string(), "has the name of a Tipsy file's units file", "end it in .tipsy or .std");
  }
  std::error_code absent;
  const fs::file_status status = fs::status(own, absent);
  if (!units.physical || !fs::exists(status) || says_what_is_written(own)) return;
  throw Error(path.string(), "its units file, " + own.string() + ", exists, is another program's and has other units",
              "rename one of the two");
}

std::vector<std::string> write_tipsy_param(const fs::path& path, const Snapshot& snapshot) {
  const Units& units = snapshot.units;
  std::vector<std::string> sentences;
  const std::optional<fs::path> applying = applying_param(path);
  if (!units.physical) {
    if (applying && read_param(*applying)) {
      sentences.push_back("tipsy: readers will apply the units of " + applying->filename().string() +
                          " to this file, which has no units (remove or rename that other file)");
    }
    return sentences;
  }
  if (applying && says_what_is_written(*applying) && says_which_gas(*applying, snapshot)) return sentences;
  for (const fs::path& other : params_beside(path)) {
    sentences.push_back("tipsy: yt cannot open a directory with two .param files: " + other.filename().string() +
                        " is in it, too");
  }
  std::ostringstream text;
  text << our_beginning;
  if (snapshot.gas && snapshot.gas->gamma > 1) text << "dConstGamma = " << shortest(snapshot.gas->gamma) << "\n";
  const bool has_weight = snapshot.gas && snapshot.gas->gamma > 1 && snapshot.gas->mean_weight > 0;
  if (has_weight || !snapshot.particles.internal_energy.empty()) {  // readers take 1 where it is absent
    text << "dMeanMolWeight = " << shortest(mean_weight_of(snapshot.gas)) << "\n";
  }
  replace_text(own_param(path), text.str());
  return sentences;
}

}  // namespace hornbeam::io
