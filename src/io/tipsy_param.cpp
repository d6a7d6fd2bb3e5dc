// SPDX-License-Identifier: Apache-2.0
// The `.param` file beside a Tipsy file, from which yt, pynbody and Hornbeam take its units.
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>

#include "hornbeam/error.h"
#include "io/layout.h"
#include "io/tipsy.h"

namespace hornbeam::io {
namespace {

namespace fs = std::filesystem;

struct Param {
  double kpc = 0, solar_masses = 0;
};

fs::path own_param(const fs::path& path) { return fs::path(path).replace_extension(".param"); }

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

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
  std::ifstream in(file);
  Param param;
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trimmed(text.substr(0, equals));
    const std::string_view value = trimmed(text.substr(equals + 1));
    if (key == "dKpcUnit") param.kpc = positive_number(value, file, "dKpcUnit");
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
    if (entry->path().extension() == ".param") found.push_back(entry->path());
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

}  // namespace

Units tipsy_units(double kpc, double solar_masses) {
  const Units galactic = Units::galactic();
  Units units;
  units.length_cm = kpc * galactic.length_cm;
  units.mass_g = solar_masses * (galactic.mass_g / 1e10);
  // the velocity at which G becomes 1
  units.velocity_cm_per_s = std::sqrt(gravitational_constant(units.length_cm, units.mass_g, 1.0));
  units.physical = true;
  return units;
}

void read_tipsy_param(const fs::path& path, Snapshot& snapshot) {
  const std::optional<fs::path> file = applying_param(path);
  if (!file) return;
  const std::optional<Param> param = read_param(*file);
  if (!param) return;
  snapshot.units = tipsy_units(param->kpc, param->solar_masses);
  snapshot.notes.push_back("units from " + file->filename().string() + " (dKpcUnit, dMsolUnit)");
}

std::vector<std::string> write_tipsy_param(const fs::path& path, const Units& units) {
  std::vector<std::string> sentences;
  if (!units.physical) {
    if (const auto file = applying_param(path); file && read_param(*file)) {
      sentences.push_back("tipsy: readers will apply the units of " + file->filename().string() +
                          " to this file, which has none; remove or rename it");
    }
    return sentences;
  }
  for (const fs::path& other : params_beside(path)) {
    const std::optional<Param> param = read_param(other);
    if (param && param->kpc == 1.0 && param->solar_masses == 1e10) return sentences;
    add_if(sentences, other != own_param(path),
           "tipsy: yt opens no directory with two .param files: " + other.filename().string() + " is there too");
  }
  ReplacedFile file(own_param(path));
  FileWriter out(file);
  out.write(std::string("dKpcUnit = 1\ndMsolUnit = 1e10\nbComove = 0\nbPeriodic = 0\n"));
  out.flush();
  file.commit();
  return sentences;
}

}  // namespace hornbeam::io
