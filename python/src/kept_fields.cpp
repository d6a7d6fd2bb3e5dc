// SPDX-License-Identifier: Apache-2.0
// What becomes of fields when Python writes to a simulation's particles, see kept_fields.h.
#include "kept_fields.h"

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

}  // namespace hornbeam::python
