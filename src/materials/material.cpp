// SPDX-License-Identifier: Apache-2.0
// A material on the host: the kernels' laws, temperatures, and densities found from pressures.
#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "materials/law.h"
#include "materials/numbers.h"

namespace hornbeam {
namespace {

using mixed::GasState;

/// Densities are looked for within this many times the reference, both ways.
constexpr double furthest = 1e12, stride = 1.02;

/// The largest rho at which pressure(rho) is `wanted`, beginning at `start`.
template <class Pressure>
double density_with(const Material& material, double wanted, double start, const Pressure& pressure) {
  double low = start, high = start;
  if (pressure(start) < wanted) {
    while (pressure(high) < wanted && high < furthest * start) low = std::exchange(high, high * stride);
  } else {
    while (pressure(low) >= wanted && low * furthest > start) high = std::exchange(low, low / stride);
  }
  if (!(wanted > 0) || pressure(low) > wanted || pressure(high) < wanted) {
    throw Error("material " + material.name(), "has no density at which its pressure is " + std::to_string(wanted),
                "give a pressure above 0, or other energies");
  }
  for (int turn = 0; turn < 100 && high - low > 1e-13 * high; ++turn) {
    const double middle = 0.5 * (low + high);
    (pressure(middle) < wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// A table's ln u at a temperature and a density.
double table_energy(const Material::Law& m, double rho, double temperature) {
  const int rows = m.law.rows, columns = m.law.columns;
  const double* const table = m.table.data();
  const mixed::TablePlace row = mixed::place_among(table, rows, std::log(rho));
  const mixed::TablePlace column =
      mixed::place_among(table + HB_TABLE_TEMPERATURES(rows, columns), columns, std::log(temperature));
  const double* const energies = table + HB_TABLE_ENERGIES(rows);
  const double low = mixed::at_place(energies + row.at * columns, column);
  const double high = mixed::at_place(energies + (row.at + 1) * columns, column);
  return std::exp(low + row.part * (high - low) + std::max(column.beyond, 0.0));
}

double table_temperature(const Material::Law& m, double rho, double u) {
  const int rows = m.law.rows, columns = m.law.columns;
  const mixed::StatePlace place = mixed::place_in_table(m.table.data(), rows, columns, rho, u);
  const double* const temperatures = m.table.data() + HB_TABLE_TEMPERATURES(rows, columns);
  const auto at = [&](const mixed::TablePlace& column) {
    return mixed::at_place(temperatures, column) + std::max(column.beyond, 0.0);
  };
  const double low = at(place.low), high = at(place.high);
  return std::exp(low + place.row.part * (high - low));
}

}  // namespace

double Material::Law::cold_energy(double rho) const {
  const double x = std::log(rho / reference_density) / cold_step;
  if (!(x > 0)) return 0;  // what holds together without pressure does no work
  const auto k = std::min(static_cast<std::size_t>(x), cold.size() - 2);
  return cold[k] + (x - static_cast<double>(k)) * (cold[k + 1] - cold[k]);
}

int Material::id() const { return law_->id; }
const std::string& Material::name() const { return law_->name; }
double Material::reference_density() const { return law_->reference_density; }

double Material::pressure(double rho, double u) const {
  return mixed::material_state(law_->law, law_->table.data(), rho, u).pressure;
}
double Material::sound_speed(double rho, double u) const {
  return mixed::material_state(law_->law, law_->table.data(), rho, u).sound;
}

double Material::temperature(double rho, double u) const {
  const Law& m = *law_;
  if (m.law.kind == HB_EOS_TILLOTSON) return std::max(0.0, u - m.cold_energy(rho)) / m.specific_heat;
  if (m.law.kind == HB_EOS_TABLE) return table_temperature(m, rho, u);
  return m.kelvin * pressure(rho, u) / rho;
}

MaterialState Material::state(double rho, double u) const {
  const GasState found = mixed::material_state(law_->law, law_->table.data(), rho, u);
  return {found.pressure, found.sound, temperature(rho, u)};
}

double Material::energy_at(double rho, double temperature) const {
  const Law& m = *law_;
  if (m.law.kind == HB_EOS_TILLOTSON) return m.cold_energy(rho) + m.specific_heat * temperature;
  if (m.law.kind == HB_EOS_TABLE) return table_energy(m, rho, temperature);
  if (m.law.kind != HB_EOS_IDEAL) return mixed::material_energy(m.law, m.table.data(), rho, 0);
  if (!(m.kelvin > 0)) throw UsageError("material " + m.name, "needs physical units for temperatures", "give [units]");
  return temperature / (m.kelvin * (m.law.gas.gamma - 1));
}

double Material::density_of(double pressure, double u) const {
  const double start = reference_density() > 0 ? reference_density() : 1;
  return density_with(*this, pressure, start, [&](double rho) { return this->pressure(rho, u); });
}

double Material::density_at(double pressure, double temperature) const {
  const double start = reference_density() > 0 ? reference_density() : 1;
  return density_with(*this, pressure, start,
                      [&](double rho) { return this->pressure(rho, energy_at(rho, temperature)); });
}

materials::LawNumbers materials::numbers_of(const Material& material) {
  const Material::Law& m = material.law();
  LawNumbers numbers = {.kind = m.law.kind,
                        .rows = m.law.rows,
                        .columns = m.law.columns,
                        .gamma = m.law.gas.gamma,
                        .speed2 = m.law.gas.speed2,
                        .factor = m.law.gas.factor,
                        .critical = m.law.gas.critical,
                        .table = m.table};
  if (m.law.kind != HB_EOS_TILLOTSON) return numbers;
#define HB_TOLD(name) numbers.tillotson.push_back(m.law.tillotson.name);
  HB_TILLOTSON_FIELDS(HB_TOLD)
#undef HB_TOLD
  return numbers;
}

std::size_t Materials::place_of(int id) const {
  for (std::size_t k = 0; k < all_.size(); ++k) {
    if (all_[k].id() == id) return k;
  }
  std::string there;
  for (const Material& m : all_) there += (there.empty() ? "" : ", ") + m.name() + " (" + std::to_string(m.id()) + ")";
  throw UsageError("gas.materials", "has no " + material_name(id) + ", MaterialIDs " + std::to_string(id),
                   "there are " + there);
}

}  // namespace hornbeam
