// SPDX-License-Identifier: Apache-2.0
// What becomes of fields when Python writes to a simulation's particles, see kept_fields.h.
#include "kept_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/fields.h"

namespace hornbeam::python {

std::vector<std::string> computed_fields(const GasOptions& gas) {
  std::vector<std::string> names;
  for_each_field([&](const auto& field) {
    if (field.row.life == Life::moment) names.emplace_back(field.row.name);
  });
  if (gas.flows()) names.insert(names.end(), {"density", "smoothing_length"});
  if (gas.flows() && !gas.has_energy()) names.emplace_back("internal_energy");
  return names;
}

void keep_viscosity(Particles& p, Particles had, bool others, double starting) {
  if (had.viscosity.empty()) return;
  if (!others) {
    p.viscosity = std::move(had.viscosity);
    return;
  }
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < had.size(); ++i) places.emplace(had.id[i], i);
  p.viscosity.assign(p.size(), starting);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto found = places.find(p.id[i]);
    if (found == places.end() || had.position[found->second] != p.position[i]) continue;
    p.viscosity[i] = had.viscosity[found->second];
  }
}

namespace {

bool have_other_eps(const Particles& p, std::vector<double> had) {
  if (had.size() == p.eps.size()) return had != p.eps;
  std::sort(had.begin(), had.end());
  return !std::all_of(p.eps.begin(), p.eps.end(),
                      [&had](double eps) { return std::binary_search(had.begin(), had.end(), eps); });
}

}  // namespace

EpsSettled settle_eps(Particles& p, const std::function<std::vector<double>()>& had, bool others,
                      std::optional<double> option, GravityOptions& gravity) {
  if (p.eps.empty()) {
    const bool loses = gravity.eps < 0 && p.size() > 0;
    return {gravity.eps < 0, loses ? "WARNING: the particles have no eps, so nothing is softened" : ""};
  }
  const auto is_length = [](double eps) { return eps >= 0 && std::isfinite(eps); };
  if (!std::all_of(p.eps.begin(), p.eps.end(), is_length)) return {false, ""};  // they will be refused
  gravity.eps = -1;
  if (!option) return {have_other_eps(p, had()), ""};
  const bool differ = std::any_of(p.eps.begin(), p.eps.end(), [&option](double eps) { return eps != *option; });
  if (differ && !others) return {true, ""};
  gravity.eps = *option;
  if (!differ) return {false, ""};
  std::fill(p.eps.begin(), p.eps.end(), *option);
  return {false, fmt::format("WARNING: the option eps, {:.6g}, replaces the softening of the particles "
                             "(to use theirs, write it to .eps of the simulation)",
                             *option)};
}

}  // namespace hornbeam::python
