// SPDX-License-Identifier: Apache-2.0
// One gas in two sections, see fit_gas.h.
#include "run/setup/fit_gas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "run/config/numbers.h"

namespace hornbeam::run {
namespace {

/// An option of models that is a number of [gas], too.
struct SharedNumber {
  const char* option;
  const char* key;
  double GasOptions::*value;
};
constexpr SharedNumber shared[] = {{"gamma", "gamma", &GasOptions::gamma},
                                   {"gas-gamma", "gamma", &GasOptions::gamma},
                                   {"gas-mean-weight", "mean_weight", &GasOptions::mean_weight}};

bool agree(double a, double b, double within) { return std::abs(a - b) <= within * std::abs(b); }

std::string key_of(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return "ic." + option;
}

[[noreturn]] void refuse(const std::string& subject, double value, const std::string& other) {
  throw UsageError(subject, fmt::format("is {:.6g}, and {}", value, other),
                   "leave one of them out; the other is used for both");
}

void fit_number(RunConfig& config, const ConfigSection& gas, const SharedNumber& number) {
  constexpr double rounding = 1e-6;
  std::map<std::string, std::string>& drawn = config.ic->options;
  double& flows = config.simulation.gas.*number.value;
  const auto given = drawn.find(number.option);
  if (!gas.has(number.key)) {
    if (given != drawn.end()) flows = number_from_text(given->second, key_of(number.option));
    return;
  }
  if (given == drawn.end()) {
    drawn[number.option] = fmt::format("{}", flows);
    return;
  }
  const double asked = number_from_text(given->second, key_of(number.option));
  if (agree(asked, flows, rounding)) return;
  refuse(gas.subject(number.key), flows, fmt::format("{} is {}", key_of(number.option), given->second));
}

bool has_sound_speed(EquationOfState eos) {
  return eos == EquationOfState::isothermal || eos == EquationOfState::barotropic;
}

bool has_option(const ModelRequest& ic, const char* name) {
  const auto& known = find_model(ic.model, "ic.model").options;
  return std::any_of(known.begin(), known.end(), [&](const ics::Option& option) { return option.name == name; });
}

ics::SoundSpeed drawn_sound(const ModelRequest& ic) {
  return ics::sound_speed(ic.model, ic.options, ic.units.value_or(Units{}));
}

/// Speeds agree that are equal within the digits that people write.
void fit_sound_speed(RunConfig& config, const ConfigSection& gas) {
  constexpr double rounding = 1e-3;
  const ics::SoundSpeed drawn = drawn_sound(*config.ic);
  const double flows = config.simulation.gas.sound_speed;
  if (drawn.option.empty() || (drawn.speed > 0 && agree(drawn.speed, flows, rounding))) return;
  if (drawn.is_given) {
    const std::string& text = config.ic->options.at(drawn.option);
    refuse(gas.subject("sound_speed"), flows,
           fmt::format("{} = {} sets it to {:.6g}", key_of(drawn.option), text, drawn.speed));
  }
  config.ic->options[drawn.option] = fmt::format("{}", drawn.value_for(flows));
}

}  // namespace

void give_sound_speed(toml::table& root, const RunConfig& config) {
  toml::table* const gas = root.contains("gas") ? root.get("gas")->as_table() : nullptr;
  if (!config.ic || gas == nullptr || gas->contains("sound_speed")) return;
  const auto eos = (*gas)["eos"].value<std::string>();
  if (!eos || (*eos != name(EquationOfState::isothermal) && *eos != name(EquationOfState::barotropic))) return;
  ModelRequest ic = *config.ic;  // with the mean weight of [gas], by which a temperature makes a speed
  const auto weight = (*gas)["mean_weight"].value<double>();
  if (weight && has_option(ic, "gas-mean-weight"))
    ic.options.try_emplace("gas-mean-weight", fmt::format("{}", *weight));
  const ics::SoundSpeed drawn = drawn_sound(ic);
  if (drawn.is_given && drawn.speed > 0) gas->insert("sound_speed", drawn.speed);
}

void fit_gas(RunConfig& config, const ConfigSection& gas) {
  if (!config.ic || !config.simulation.gas.flows() || ics::starts_from_files(config.ic->options)) return;
  for (const SharedNumber& number : shared) {
    if (has_option(*config.ic, number.option)) fit_number(config, gas, number);
  }
  if (has_sound_speed(config.simulation.gas.eos)) fit_sound_speed(config, gas);
}

}  // namespace hornbeam::run
