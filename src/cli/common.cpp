// SPDX-License-Identifier: Apache-2.0
// Shared pieces of the commands, see common.h.
#include "cli/common.h"

#include <fmt/format.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/units.h"

namespace hornbeam::cli {

void add_key_flags(CLI::App& command, SimulationOptions& options, const std::vector<std::string>& names) {
  for (const Key* key : run::evaluation_keys()) {
    if (!names.empty() && std::find(names.begin(), names.end(), key->name) == names.end()) continue;
    const auto set = [&options](const auto& with) {
      run::RunConfig config;
      config.simulation = std::move(options);
      with(config);
      options = std::move(config.simulation);
    };
    const auto take = [key, set](const std::string& text) {
      set([&](run::RunConfig& config) { set_from_text(*key, config, text); });
    };
    const auto turn_on = [key, set] {
      set([&](run::RunConfig& config) { set_checked(*key, config, true, key->flag()); });
    };
    if (key->kind == run::Kind::truth) {
      command.add_flag_callback(key->flag(), turn_on, run::described_beside_default(*key));
    } else {
      command.add_option_function<std::string>(key->flag(), take, run::described(*key))->type_name(key->type());
    }
  }
}

void add_model_flags(CLI::App& command, ModelRequest& request) {
  const auto count = [](const std::string& text, const std::string& flag) {
    const std::int64_t value = integer_from_text(text, flag);
    if (value < 0) throw UsageError(flag, "received " + text, "must be 0 or above");
    return static_cast<std::uint64_t>(value);
  };
  command
      .add_option_function<std::string>(
          "-n", [&request, count](const std::string& text) { request.n = count(text, "-n"); }, "number of particles")
      ->type_name("INT");
  command
      .add_option_function<std::string>(
          "--seed", [&request, count](const std::string& text) { request.seed = count(text, "--seed"); },
          "the same seed gives the same bits (default: 1)")
      ->type_name("INT");
}

namespace {

std::string family_word(std::size_t i) {
  std::string name(family_names[i]);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

Family family_from_text(const std::string& text) {
  std::map<std::string, Family> known;
  for (std::size_t i = 0; i < family_names.size(); ++i) known[family_word(i)] = static_cast<Family>(i);
  return among(known, text, "--types");
}

std::string family_words() {
  std::string words;
  for (std::size_t i = 0; i < family_names.size(); ++i) words += (i == 0 ? "{" : ",") + family_word(i);
  return words + "}";
}

std::string words_of(const std::vector<Family>& families) {
  std::string words;
  for (const Family family : families) {
    words += (words.empty() ? "" : ", ") + family_word(static_cast<std::size_t>(family));
  }
  return words;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print("  {}\n", note);
}

void add_units_flag(CLI::App& command, std::optional<Units>& units) {
  command
      .add_option_function<std::string>(
          "--units", [&units](const std::string& text) { units = units_from(text, "--units"); },
          "convert to these units first: galactic, solar, si, cgs, saturn, nbody (G = 1), or LENGTH,MASS,VELOCITY such "
          "as \"pc,Msun,km/s\"; a file without units is taken to be in them")
      ->type_name("UNITS");
}

void add_reading_flags(CLI::App& command, ReadOptions& reading) {
  command.add_flag(
      "--physical", reading.physical,
      "convert lengths, masses and velocities of cosmological files to physical units by their scale factor a and h");
  command
      .add_option("--blocks", reading.blocks,
                  "Gadget-2 binary of format 1: the names of its blocks in their order, as \"POS VEL ID MASS U RHO\"")
      ->type_name("NAMES");
}

}  // namespace hornbeam::cli
