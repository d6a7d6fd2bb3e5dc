// SPDX-License-Identifier: Apache-2.0
// The `.param` file beside a Tipsy file, from which yt, pynbody and Hornbeam take its units.
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/layout.h"
#include "io/tipsy.h"

namespace hornbeam::io {
namespace {

namespace fs = std::filesystem;

struct Param {
  double kpc = 0, solar_masses = 0;
  GasParameters gas;  ///< as far as it says
};

fs::path own_param(const fs::path& path) { return fs::path(path).replace_extension(".param"); }

double positive_number(std::string_view text, const fs::path& file, const std::string& key) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    throw Error(file.string(), key + " = " + std::string(text) + ": must be a positive number");
  }
  return value;
}

/// Nothing where the file does not hold both units.
std::optional<Param> read_param(const fs::path& file) {
  std::istringstream in(read_text(file));
  Param param;
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trimmed(text.substr(0, equals));
    const std::string_view value = trimmed(text.substr(equals + 1));
    if (key == "dKpcUnit") param.kpc = positive_number(value, file, "dKpcUnit");
    if (key == "dConstGamma") param.gas.gamma = positive_number(value, file, "dConstGamma");
    if (key == "dMeanMolWeight") param.gas.mean_weight = positive_number(value, file, "dMeanMolWeight");
    if (key == "dMsolUnit") param.solar_masses = positive_number(value, file, "dMsolUnit");
  }
  if (param.kpc == 0 || param.solar_masses == 0) return std::nullopt;
  return param;
}

std::vector<fs::path> params_beside(const fs::path& path) {
  std::vector<fs::path> found;
  std::error_code error;
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;  // FIFOs and devices are nobody's units
    if (entry->path().extension() == ".param" && entry->is_regular_file(unknown)) found.push_back(entry->path());
  }
  return found;
}

/// The file whose units apply to `path`: its own, else the only one in its directory.
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

void read_tipsy_param(const fs::path& path, Snapshot& snapshot) {
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
}

double kelvin_per_energy(const Units& units, const std::optional<GasParameters>& gas) {
  constexpr double proton_over_boltzmann = 1.67262192e-24 / 1.380649e-16, usual_gamma = 5.0 / 3, usual_weight = 0.6;
  if (!units.physical) return 1;
  const double gamma = gas && gas->gamma > 1 ? gas->gamma : usual_gamma;
  const double weight = gas && gas->mean_weight > 0 ? gas->mean_weight : usual_weight;
  return (gamma - 1) * weight * proton_over_boltzmann * units.velocity_cm_per_s * units.velocity_cm_per_s;
}

namespace {

/// Whether energies that are written as temperatures come back from beside that file.
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
    throw UsageError(path.string(), "has the name of the units file beside a Tipsy file", "end it in .tipsy or .std");
  }
  std::error_code absent;
  const fs::file_status status = fs::status(own, absent);
  if (!units.physical || !fs::exists(status) || says_what_is_written(own)) return;
  throw Error(path.string(), "the units beside it, " + own.string() + ", are another program's and not these",
              "rename that file or this one");
}

std::vector<std::string> write_tipsy_param(const fs::path& path, const Snapshot& snapshot) {
  const Units& units = snapshot.units;
  std::vector<std::string> sentences;
  const std::optional<fs::path> applying = applying_param(path);
  if (!units.physical) {
    if (applying && read_param(*applying)) {
      sentences.push_back("tipsy: readers will apply the units of " + applying->filename().string() +
                          " to this file, which has none; remove or rename it");
    }
    return sentences;
  }
  if (applying && says_what_is_written(*applying) && says_which_gas(*applying, snapshot)) return sentences;
  for (const fs::path& other : params_beside(path)) {
    sentences.push_back("tipsy: yt opens no directory with two .param files: " + other.filename().string() +
                        " is there too");
  }
  std::ostringstream text;
  text << "dKpcUnit = 1\ndMsolUnit = 1e10\nbComove = 0\nbPeriodic = 0\n";
  if (snapshot.gas && snapshot.gas->gamma > 1) {
    text << "dConstGamma = " << shortest(snapshot.gas->gamma) << "\n";
    if (snapshot.gas->mean_weight > 0) text << "dMeanMolWeight = " << shortest(snapshot.gas->mean_weight) << "\n";
  }
  replace_text(own_param(path), text.str());
  return sentences;
}

}  // namespace hornbeam::io
