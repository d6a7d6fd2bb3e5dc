// SPDX-License-Identifier: Apache-2.0
// Target points, see target_points.h. Compiled with HB_PRECISION = HB_DOUBLE: points are wrapped in fp64.
#include "simulation/target_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "device/devices.h"
#include "device/transfer.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "interactions/gravity/kernels/launches.h"
#include "physics/tides.h"
#include "simulation/columns.h"
#include "tree/adopted.h"
#include "tree/lent_numbers.h"

namespace hornbeam {

using namespace fp64;

namespace {

void demand_point(const Vec3& point, std::size_t i) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::isfinite(point[k])) continue;
    throw Error("target " + std::to_string(i), std::string("position ") + "xyz"[k] + " = " + std::to_string(point[k]),
                "must be finite");
  }
}

void demand_lengths(const std::vector<double>& eps) {
  for (std::size_t i = 0; i < eps.size(); ++i) {
    if (std::isfinite(eps[i]) && eps[i] >= 0) continue;
    throw Error("target " + std::to_string(i), "target_eps = " + std::to_string(eps[i]),
                "must be finite and not negative");
  }
}

/// What attracts a point is no particle's acceleration, so that no other check has seen it.
void demand_finite_at(const std::vector<Vec3>& points, const ForceField& field) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& a = field.acceleration[i];
    if (std::isfinite(a[0] + a[1] + a[2]) && std::isfinite(field.potential[i])) continue;
    throw NotFinite("targets",
                    "the acceleration at target " + std::to_string(i) + " at (" + std::to_string(points[i][0]) + ", " +
                        std::to_string(points[i][1]) + ", " + std::to_string(points[i][2]) + ") is non-finite",
                    "give a softening eps, take precision double, or check for targets very far from all particles");
  }
}

ArrayOnDevice found_in(void* data, std::size_t rows, std::int64_t axes, const ForcesOnDevice& forces) {
  ArrayOnDevice array;
  array.data = data;
  array.is_double = forces.is_double;
  array.on_host = forces.on_host;
  array.rows = rows;
  array.row_stride = axes;
  return array;
}

void demand_finite_forces(Device& device, const ArrayOnDevice& points, const ForcesOnDevice& forces) {
  const ArrayOnDevice acceleration = found_in(forces.acceleration, points.rows, 3, forces);
  const ArrayOnDevice potential = found_in(forces.potential, points.rows, 1, forces);
  if (survey(device, 3, acceleration).not_finite + survey(device, 1, potential).not_finite == 0) {
    return demand_finite_tides(device, points.rows, forces);
  }
  demand_finite_at(fetched_vectors(device, points),
                   {fetched_vectors(device, acceleration), fetched(device, potential), {}});
}

/// What the points span along each axis; throws Error for points and lengths that are not allowed.
std::array<Survey, 3> checked_points(Device& device, const ArrayOnDevice& points,
                                     const std::optional<ArrayOnDevice>& eps) {
  constexpr std::size_t most = std::size_t{1} << 30;
  if (points.rows > most) throw Error("targets", std::to_string(points.rows) + " are more than 2^30", "use fewer");
  std::array<Survey, 3> along;
  for (std::size_t k = 0; k < 3 && points.rows > 0; ++k) along[k] = survey_axis(device, points, static_cast<i64>(k));
  if (along[0].not_finite + along[1].not_finite + along[2].not_finite > 0) {
    const std::vector<Vec3> host = fetched_vectors(device, points);
    for (std::size_t i = 0; i < host.size(); ++i) demand_point(host[i], i);
  }
  const Survey lengths = survey(device, 1, eps);
  if (eps && (lengths.not_finite > 0 || lengths.least < 0)) demand_lengths(fetched(device, *eps));
  return along;
}

/// How far a point is from the cube of the particles, along an axis.
double distance_from(const KeyBox& cube, const Vec3& point) {
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(point[k] - cube.low[k]));
  return most;
}

/// Distances above which the units of the particles' cube do not suit.
double far_from(const KeyBox& cube) { return far_above * cube.edge; }

bool is_near(const KeyBox& cube, const Vec3& point) { return distance_from(cube, point) <= far_from(cube); }

/// Indices of the points that one choice of units suits, by a factor of 2^12 of their distance; the near ones under the
/// least key.
std::map<int, std::vector<std::size_t>> by_distance(const KeyBox& cube, const std::vector<Vec3>& points) {
  std::map<int, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool near = is_near(cube, points[i]);
    found[near ? std::numeric_limits<int>::min() : std::ilogb(distance_from(cube, points[i])) / 12].push_back(i);
  }
  return found;
}

ForceField pulled_at(ParticleSystem& system, const std::vector<Vec3>& points, const std::vector<double>& eps,
                     bool tides) {
  ForceField field = forces_of(points.size(), tides);
  Adopted adopted(system.hardware());
  LentTargets targets{adopted.read(column_of(points), 3), {}, {}};
  if (!eps.empty()) targets.eps = adopted.read(column_of(eps), 1);
  system.gravity().pull_at(targets, adopted.written(columns_of(field), points.size()));
  adopted.finish();
  return field;
}

/// Forces at points of any distance: those far away by trees in units of their own.
ForceField forces_by_distance(ParticleSystem& system, const std::vector<Vec3>& points, const std::vector<double>& eps,
                              bool tides) {
  const KeyBox cube = system.domain().cube();
  ForceField field = forces_of(points.size(), tides);
  for (const auto& [key, part] : by_distance(cube, points)) {
    std::vector<Vec3> at;
    std::vector<double> lengths;
    double reach = 0;
    for (const std::size_t i : part) {
      at.push_back(points[i]);
      if (!eps.empty()) lengths.push_back(eps[i]);
      reach = std::max(reach, distance_from(cube, points[i]));
    }
    if (key != std::numeric_limits<int>::min()) {
      system.gravity().set_reach(reach);
      system.build_tree();
    }
    const ForceField of_part = pulled_at(system, at, lengths, tides);
    for (std::size_t k = 0; k < part.size(); ++k) {
      field.acceleration[part[k]] = of_part.acceleration[k];
      field.potential[part[k]] = of_part.potential[k];
      if (tides) field.tide[part[k]] = of_part.tide[k];
    }
  }
  system.gravity().set_reach(0);
  system.build_tree();
  return field;
}

/// Into arrays of a caller.
void give(Device& device, const ForceField& field, const ForcesOnDevice& forces) {
  const std::size_t n = field.potential.size();
  if (forces.on_host) {
    std::copy_n(field.acceleration.begin(), n, static_cast<Vec3*>(forces.acceleration));
    std::copy_n(field.potential.begin(), n, static_cast<double*>(forces.potential));
    if (forces.tide != nullptr) std::copy_n(field.tide.begin(), n, static_cast<Tensor*>(forces.tide));
    return;
  }
  DeviceParticles found(device);
  found.n = static_cast<i32>(n);
  found.input.reserve(n * sizeof(u32));
  device.launch(kernels::number_items{.n = found.n, .numbers = found.input}, plain_variant, found.n);
  for (std::size_t k = 0; k < 4; ++k) {
    found.acc[k].reserve(n * sizeof(real));
    upload_values<real>(device, found.acc[k], n,
                        [&](std::size_t i) { return k < 3 ? field.acceleration[i][k] : field.potential[i]; });
  }
  give_forces(device, found, {1.0, 1.0}, forces);
  if (forces.tide == nullptr) return;
  DeviceArray<real> tide(device);
  tide.reserve(HB_TIDES * n * sizeof(real));
  std::vector<real> values(HB_TIDES * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (i32 k = 0; k < 9; ++k) {
      values[static_cast<std::size_t>(tide_component(k / 3, k % 3)) * n + i] = field.tide[i][k / 3][k % 3];
    }
  }
  device.upload(tide, 0, values.data(), values.size() * sizeof(real));
  device.launch(kernels::give_tides{.input = found.input,
                                    .tide = tide,
                                    .n = found.n,
                                    .unit = 1.0,
                                    .wide = forces.is_double ? 1 : 0,
                                    .tides = ArrayArgument<u8>::lent(forces.tide)},
                plain_variant, found.n);
}

bool are_near(const KeyBox& cube, const std::array<Survey, 3>& along) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::max(along[k].largest - cube.low[k], cube.low[k] - along[k].least) > far_from(cube)) return false;
  }
  return true;
}

}  // namespace

void demand_finite_tides(Device& device, std::size_t rows, const ForcesOnDevice& forces) {
  if (forces.tide == nullptr || survey(device, 9, found_in(forces.tide, rows, 9, forces)).not_finite == 0) return;
  throw NotFinite("tidal tensors", "there are non-finite values",
                  "give a softening eps, take precision double, or check for particles that nearly coincide");
}

void demand_targets(const GravityOptions& options, std::size_t targets, std::optional<std::size_t> eps) {
  const bool one_by_one = options.walk == Walk::stackless || options.walk == Walk::vote;
  if (options.mac == Mac::relative && one_by_one) {
    throw UsageError("mac = relative", "needs walk group or direct for target positions", "use another mac or walk");
  }
  if (eps && *eps != targets) {
    throw UsageError("target_eps", std::to_string(*eps) + " for " + std::to_string(targets) + " targets",
                     "give one each");
  }
}

std::optional<std::array<double, 2>> range_of(Device& device, const std::optional<ArrayOnDevice>& eps) {
  if (!eps) return {};
  const Survey lengths = survey(device, 1, eps);
  return {{lengths.least, lengths.largest}};
}

TreeLengths tree_lengths(const GravityOptions& options, const OwnLengths& own) {
  TreeLengths lengths{options};
  if (options.eps < 0 && own.common) lengths.options.eps = *own.common;
  return lengths;
}

TreeLengths tree_lengths(const GravityOptions& options, const OwnLengths& own,
                         const std::optional<std::array<double, 2>>& points) {
  TreeLengths lengths = tree_lengths(options, own);
  const bool differ = lengths.options.eps < 0 && own.some;
  if (!points && differ) {
    throw UsageError("target_eps", "is missing, and the particles have different softenings",
                     "give one for each target");
  }
  const double common = std::max(lengths.options.eps, 0.0);
  if (!points || (!differ && (*points)[0] == common && (*points)[1] == common)) return lengths;
  lengths.options.eps = -1;
  lengths.of_all = differ ? -1 : common;
  lengths.of_points = true;
  return lengths;
}

void take_lengths(const TreeLengths& lengths, LentParticles& particles) {
  if (lengths.of_all >= 0) {
    particles.arrays.eps = ArrayOnDevice{.value = lengths.of_all, .rows = particles.size()};
    particles.least_eps = lengths.of_all;
  }
  particles.own_eps = lengths.options.eps < 0 && (particles.own_eps || lengths.of_all >= 0);
}

void forces_at(ParticleSystem& system, const Boundary& boundary, std::size_t sources, const ArrayOnDevice& points,
               const std::optional<ArrayOnDevice>& eps, const ForcesOnDevice& forces) {
  Device& device = system.hardware();
  const std::array<Survey, 3> along = checked_points(device, points, eps);
  if (points.rows == 0) return;
  const bool wraps = boundary.kind != BoundaryKind::open;
  if (sources == 0) {
    give(device, forces_of(points.rows, forces.tide != nullptr), forces);
  } else if (wraps || are_near(system.domain().cube(), along)) {
    system.gravity().pull_at(LentTargets{points, eps, wraps ? boundary.size : Vec3{}}, forces);
  } else {
    const std::vector<double> lengths = eps ? fetched(device, *eps) : std::vector<double>();
    const bool tides = forces.tide != nullptr;
    give(device, forces_by_distance(system, fetched_vectors(device, points), lengths, tides), forces);
  }
  demand_finite_forces(device, points, forces);
}

}  // namespace hornbeam
