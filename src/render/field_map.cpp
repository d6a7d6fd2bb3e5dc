// SPDX-License-Identifier: Apache-2.0
// Sums of gas over lines of sight, or on a plane, with each particle's own kernel: docs/pictures.md, "Gas".
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hornbeam/error.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"
#include "memory/particles.h"
#include "render/field.h"
#include "render/gas_points.h"

namespace hornbeam::render {
namespace {

/// A unit of numbers in the picture: its name, and what one is in the snapshot's units.
struct ShownUnit {
  const char* name = "";
  double one = 1;
};

/// Beyond a tenth of a parsec across those of galaxies, below those of planets.
ShownUnit unit_of(const Field& field, const Snapshot& snapshot, const Camera& camera) {
  constexpr double parsec = 3.0856775814913673e18, msun = 1.98841e33;  // IAU 2012, 2015
  const Units& u = snapshot.units;
  if (!u.physical) return {};
  const bool large = camera.extent * u.length_cm > 0.1 * parsec;
  const double area = u.length_cm * u.length_cm, speed2 = u.velocity_cm_per_s * u.velocity_cm_per_s;
  const double density = u.mass_g / (area * u.length_cm);
  switch (field.quantity) {
    case GasQuantity::density:
      if (!field.slice && large) return {"Msun/pc^2", msun / (parsec * parsec) * area / u.mass_g};
      if (!field.slice) return {"g/cm^2", area / u.mass_g};
      if (large) return {"Msun/pc^3", msun / (parsec * parsec * parsec) / density};
      return {"g/cm^3", 1 / density};
    case GasQuantity::internal_energy:
      return large ? ShownUnit{"km^2/s^2", 1e10 / speed2} : ShownUnit{"J/kg", 1e4 / speed2};
    case GasQuantity::temperature:
      return {"K", 1};
    case GasQuantity::pressure:
      return large ? ShownUnit{"erg/cm^3", 1 / (density * speed2)} : ShownUnit{"GPa", 1e10 / (density * speed2)};
    default:
      return {"km/s", 1e5 / u.velocity_cm_per_s};
  }
}

std::string title_of(const Field& field) {
  switch (field.quantity) {
    case GasQuantity::density:
      return field.slice ? "density" : "column density";
    case GasQuantity::internal_energy:
      return "internal energy";
    default:
      return std::string(gas_quantity_names[static_cast<std::size_t>(field.quantity)]);
  }
}

/// What the quantity is of one particle.
class Values {
 public:
  Values(const Snapshot& snapshot, const Options& options) : p_(snapshot.particles), field_(*options.field) {
    const GasQuantity q = field_.quantity;
    const bool of_state = q == GasQuantity::temperature || q == GasQuantity::pressure;
    const GasModel& gas = options.gas;
    const std::vector<double>& kept = q == GasQuantity::pressure ? p_.pressure : p_.temperature;
    const bool takes_kept = of_state && !gas.is_ideal.value_or(kept.empty());
    const bool energy = q == GasQuantity::internal_energy || (of_state && !takes_kept);
    if (energy && p_.internal_energy.empty()) refuse("the gas has no internal energies");
    const bool by_volume = field_.slice && q != GasQuantity::density;
    if ((q == GasQuantity::pressure || by_volume) && p_.density.empty()) refuse("the gas has no densities");
    if (q == GasQuantity::temperature && !snapshot.units.physical) {
      refuse("temperatures need physical units, and with G = 1 there are none", "draw internal-energy");
    }
    if (takes_kept) {
      own_ = &kept;
      if (own_->empty()) refuse("the gas is not ideal, and the file has no values of it");
    }
    constexpr double proton_g = 1.67262192e-24, boltzmann = 1.380649e-16;  // CODATA 2018
    const double v2 = snapshot.units.velocity_cm_per_s * snapshot.units.velocity_cm_per_s;
    gamma_1_ = gas.gamma - 1;
    kelvin_ = gamma_1_ * gas.mean_molecular_weight.value_or(usual_molecular_weight) * proton_g / boltzmann * v2;
  }

  [[nodiscard]] double operator()(std::size_t i) const {
    if (own_ != nullptr) return (*own_)[i];
    switch (field_.quantity) {
      case GasQuantity::internal_energy:
        return p_.internal_energy[i];
      case GasQuantity::temperature:
        return kelvin_ * p_.internal_energy[i];
      case GasQuantity::pressure:
        return gamma_1_ * p_.density[i] * p_.internal_energy[i];
      case GasQuantity::speed:
        return std::sqrt(dot(p_.velocity[i], p_.velocity[i]));
      case GasQuantity::vx:
        return p_.velocity[i][0];
      case GasQuantity::vy:
        return p_.velocity[i][1];
      case GasQuantity::vz:
        return p_.velocity[i][2];
      default:
        return 1;
    }
  }
  /// What a mean counts it with: its mass, or on a plane its volume.
  [[nodiscard]] double weight(std::size_t i) const {
    if (!field_.slice || field_.quantity == GasQuantity::density) return p_.mass[i];
    return p_.density[i] > 0 ? p_.mass[i] / p_.density[i] : 0;
  }

 private:
  [[noreturn]] void refuse(const char* what, const char* remedy = "draw a snapshot of a run, which has them") const {
    throw UsageError("field " + std::string(gas_quantity_names[static_cast<std::size_t>(field_.quantity)]), what,
                     remedy);
  }

  const Particles& p_;
  const Field& field_;
  const std::vector<double>* own_ = nullptr;  ///< of gas that is not ideal
  double gamma_1_ = 0, kelvin_ = 0;
};

/// Sums over kernels on the canvas, of amounts that are the points' own.
class Summing {
 public:
  Summing(const Snapshot& snapshot, const Options& options, const Camera& camera)
      : canvas_(options.width, options.height), sections_(options.gas.kernel) {
    gas_ = gas_points(snapshot, options, camera, canvas_, sections_);
    if (options.field->slice) return;
    through_.push_back(projected(options.gas.kernel));
  }

  /// The picture's pixels, per pixel; `amount` takes the particle's index.
  std::vector<double> operator()(const auto& amount) {
    const auto of = [&](std::size_t k) {
      return amount(gas_.points[k].index) * (gas_.share.empty() ? 1.0 : gas_.share[k]);
    };
    double largest = 0;
    for (std::size_t k = 0; k < gas_.points.size(); ++k) largest = std::max(largest, std::abs(of(k)));
    const double unit = largest > 0 ? largest : 1;  // single precision holds any units
    for (std::size_t k = 0; k < gas_.points.size(); ++k) gas_.points[k].mass = static_cast<float>(of(k) / unit);
    const std::vector<Hill>& hills = through_.empty() ? sections_.hills() : through_;
    const Map map =
        canvas_.picture(surface_density(gas_.points, gas_.radii, canvas_.width, canvas_.height, hills, gas_.hill));
    std::vector<double> sum(map.value.begin(), map.value.end());
    for (double& x : sum) x *= unit;
    return sum;
  }

 private:
  Canvas canvas_;
  KernelSections sections_;
  std::vector<Hill> through_;
  GasPoints gas_;
};

}  // namespace

FieldMap field_map(const Snapshot& snapshot, const Options& options, const Camera& camera) {
  validate(options);
  if (!options.field)
    throw UsageError("field", "received none", "give a quantity of the gas, such as density or temperature");
  snapshot.particles.validate("picture");
  require_kernels(snapshot.particles);
  const Field& field = *options.field;
  const Values values(snapshot, options);
  const double pixels = static_cast<double>(options.width) * options.height;
  memory::demand_beside(snapshot.particles,
                        {{"points", sizeof(Point) + 8 * sizeof(float) + sizeof(Vec3)},
                         {"the picture's maps", 0, sizeof(double) * 6 * pixels}},
                        "a smaller --width and --height");
  Summing sum(snapshot, options, camera);
  const ShownUnit unit = unit_of(field, snapshot, camera);
  FieldMap map{options.width, options.height, sum([&](std::size_t i) { return values.weight(i); }), title_of(field),
               unit.name};
  const double per_length = options.width / camera.extent;
  if (field.quantity == GasQuantity::density) {
    for (double& x : map.value) x *= per_length * per_length / unit.one;
    return map;
  }
  const std::vector<double> above = sum([&](std::size_t i) { return values.weight(i) * values(i); });
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < above.size(); ++k) {
    map.value[k] = map.value[k] > 0 ? above[k] / map.value[k] / unit.one : nothing;
  }
  return map;
}

void write_npy(const std::filesystem::path& path, const FieldMap& map) {
  const std::string header =
      io::npy_header("<f8", {static_cast<std::uint64_t>(map.height), static_cast<std::uint64_t>(map.width)});
  std::vector<std::byte> bytes(header.size() + map.value.size() * sizeof(double));
  std::memcpy(bytes.data(), header.data(), header.size());
  std::memcpy(bytes.data() + header.size(), map.value.data(), map.value.size() * sizeof(double));
  io::ReplacedFile file(path);
  io::FileWriter writer(file);
  writer.write(bytes);
  writer.flush();
  file.commit();
}

}  // namespace hornbeam::render
