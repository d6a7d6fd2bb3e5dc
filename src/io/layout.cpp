// SPDX-License-Identifier: Apache-2.0
// Grouping by family and changing units: between the particles in memory and the blocks of a file.
#include "io/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "hornbeam/error.h"
#include "memory/particles.h"

namespace hornbeam::io {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

FamilyOrder group_by_family(const std::vector<Family>& families) {
  FamilyOrder order;
  for (const Family family : families) ++order.count[static_cast<std::size_t>(family)];
  FamilyCounts next{};
  std::exclusive_scan(order.count.begin(), order.count.end(), next.begin(), std::uint64_t{0});
  order.index.resize(families.size());
  for (std::size_t i = 0; i < families.size(); ++i) {
    order.index[next[static_cast<std::size_t>(families[i])]++] = i;
  }
  return order;
}

bool is_reordered(const FamilyOrder& order) { return !std::is_sorted(order.index.begin(), order.index.end()); }

void assign_families(Particles& particles, const FamilyCounts& count, double more) {
  const std::uint64_t n = std::accumulate(count.begin(), count.end(), std::uint64_t{0});
  memory::demand(n, memory::reading(more));
  particles.resize(n);
  auto begin = particles.family.begin();
  for (std::size_t f = 0; f < count.size(); ++f) {
    const auto end = begin + static_cast<std::ptrdiff_t>(count[f]);
    std::fill(begin, end, static_cast<Family>(f));
    begin = end;
  }
}

UnitScale scale_between(const Units& from, const Units& to) {
  if (!from.physical || !to.physical) return {};
  return {from.length_cm / to.length_cm, from.mass_g / to.mass_g, from.velocity_cm_per_s / to.velocity_cm_per_s};
}

bool are_unique(std::vector<std::uint64_t> ids) {
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

void energies_of_entropies(Snapshot& snapshot, bool comoving, const std::string& subject) {
  Particles& p = snapshot.particles;
  if (p.internal_energy.empty()) return;
  const std::string set = "Flag_Entropy_ICs is set, so its internal energies are entropies, but ";
  const std::string remedy = "write internal energies, with Flag_Entropy_ICs 0";
  if (comoving) throw Error(subject, set + "entropies are not read from comoving files", remedy);
  constexpr double gamma_less_one = 2.0 / 3;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    const double density = p.density.empty() ? 0 : p.density[i];
    if (!(density > 0)) throw Error(subject, set + "gas lacks the densities that convert them to energies", remedy);
    p.internal_energy[i] *= std::pow(density, gamma_less_one) / gamma_less_one;
  }
  snapshot.notes.emplace_back(
      "Flag_Entropy_ICs: internal energies are made of entropies and densities, with gamma 5/3");
}

void add_lost_gas(std::vector<std::string>& sentences, const Snapshot& snapshot, const std::string& format,
                  bool keeps_gamma) {
  if (!snapshot.gas) return;
  constexpr double usual = 5.0 / 3, rounding = 1e-6;
  const GasParameters& gas = *snapshot.gas;
  const bool has_own_gamma = is_ideal(gas) && gas.gamma > 1 && std::abs(gas.gamma - usual) > rounding;
  std::ostringstream gamma;
  gamma << format << ": gamma of the gas, " << gas.gamma << ", is not stored";
  add_if(sentences, has_own_gamma && !keeps_gamma, gamma.str());
  add_if(sentences, !is_ideal(gas), format + ": the gas' eos, " + gas.equation_of_state + ", is not stored");
}

void add_lost_box(std::vector<std::string>& sentences, const Snapshot& snapshot, const std::string& format) {
  const bool boxed = snapshot.boundary.kind != BoundaryKind::open;
  add_if(sentences, boxed || snapshot.box_size > 0, format + ": the box " + (boxed ? "" : "size ") + "is not stored");
}

float narrowed(double value, const std::string& subject) {
  if (std::abs(value) > std::numeric_limits<float>::max()) {
    std::ostringstream what;
    what << "the value " << value << " is beyond single precision (3.4e38)";
    throw Error(subject, what.str(), "choose a format with double precision, such as hdf5");
  }
  return static_cast<float>(value);
}

}  // namespace hornbeam::io
