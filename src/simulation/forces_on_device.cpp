// SPDX-License-Identifier: Apache-2.0
// Evaluations of forces between arrays that lie on the device: a look at their numbers, the particles' path, and
// forces into the caller's memory. Only where something is wrong do the arrays come to the host, for the words of it.
// Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "device/launches.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/forces.h"
#include "simulation/finite.h"

namespace hornbeam {

using namespace fp64;

namespace {

constexpr KernelVariant survey_variant = {Precision::fp64, 0};

/// What a look at some columns has found.
struct Survey {
  double sum = 0, least = HUGE_VAL, largest = -HUGE_VAL;
  std::uint64_t not_finite = 0;
};

LentColumn column_of(const ArrayOnDevice& array, i64 axis) {
  return {axis * array.column_stride, array.row_stride, array.value, array.is_double ? 1 : 0};
}

/// Adds what stands in the first `axes` columns.
void look_at(Device& device, const ArrayOnDevice& array, i64 axes, Survey& sum) {
  constexpr i32 most_parts = 1 << 13;  // enough to fill a device
  const i32 n = static_cast<i32>(array.rows), parts = std::min(n, most_parts);
  if (n == 0) return;
  std::vector<pos_t> rows(static_cast<std::size_t>(parts) * HB_SURVEY_VALUES);
  DeviceArray<pos_t> found(device);
  found.reserve(rows.size() * sizeof(pos_t));
  for (i64 axis = 0; axis < axes; ++axis) {
    device.launch(kernels::survey_numbers{.memory = ArrayArgument<const u8>::lent(array.data),
                                          .column = column_of(array, axis),
                                          .n = n,
                                          .parts = parts,
                                          .found = found},
                  survey_variant, parts);
    device.download(rows.data(), found, 0, rows.size() * sizeof(pos_t));
    for (std::size_t at = 0; at < rows.size(); at += HB_SURVEY_VALUES) {
      sum.sum += rows[at];
      sum.least = std::min(sum.least, rows[at + 1]);
      sum.largest = std::max(sum.largest, rows[at + 2]);
      sum.not_finite += static_cast<std::uint64_t>(rows[at + 3]);
    }
  }
}

Survey survey(Device& device, i64 axes, const std::optional<ArrayOnDevice>& array,
              const std::optional<ArrayOnDevice>& more = {}) {
  Survey sum;
  if (array) look_at(device, *array, axes, sum);
  if (more) look_at(device, *more, axes, sum);
  return sum;
}

/// One axis of an array, on the host.
std::vector<double> fetched(Device& device, const ArrayOnDevice& array, i64 axis) {
  std::vector<double> values(array.rows);
  const auto n = static_cast<i32>(array.rows);
  if (n == 0) return values;
  DeviceArray<pos_t> column(device);
  column.reserve(values.size() * sizeof(pos_t));
  device.launch(kernels::take_positions{.memory = ArrayArgument<const u8>::lent(array.data),
                                        .column = column_of(array, axis),
                                        .n = n,
                                        .first = 0,
                                        .to = column},
                survey_variant, n);
  device.download(values.data(), column, 0, values.size() * sizeof(double));
  return values;
}

/// All of them as evaluate_from() takes them.
Particles fetched(Device& device, const ParticlesOnDevice& arrays) {
  Particles particles;
  particles.resize(LentParticles{arrays}.size());
  const auto fill = [&](const ArrayOnDevice& from, std::size_t first, const auto& put) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> values = fetched(device, from, axis);
      for (std::size_t i = 0; i < values.size(); ++i) put(first + i, axis, values[i]);
    }
  };
  const auto place = [&](std::size_t i, int axis, double x) {
    particles.position[i][static_cast<std::size_t>(axis)] = x;
  };
  fill(arrays.position, 0, place);
  if (arrays.targets) fill(*arrays.targets, arrays.position.rows, place);
  const std::vector<double> mass = fetched(device, arrays.mass, 0);
  std::copy(mass.begin(), mass.end(), particles.mass.begin());
  if (!arrays.eps) return particles;
  particles.eps = fetched(device, *arrays.eps, 0);
  if (!arrays.target_eps) return particles;
  const std::vector<double> more = fetched(device, *arrays.target_eps, 0);
  particles.eps.insert(particles.eps.end(), more.begin(), more.end());
  return particles;
}

void demand_rows(const char* name, const std::optional<ArrayOnDevice>& array, std::size_t rows) {
  if (!array || array->rows == rows) return;
  throw UsageError(name, "has " + std::to_string(array->rows) + " entries for " + std::to_string(rows) + " positions",
                   "give one each");
}

void check_rows(const ParticlesOnDevice& arrays) {
  demand_rows("mass", arrays.mass, arrays.position.rows);
  demand_rows("eps", arrays.eps, arrays.position.rows);
  demand_rows("target_eps", arrays.target_eps, arrays.targets ? arrays.targets->rows : 0);
  if (arrays.eps && arrays.targets && !arrays.target_eps) {
    throw UsageError("target_eps", "is missing, and sources have lengths of their own", "give one each");
  }
  constexpr std::size_t most = std::size_t{1} << 30;
  const std::size_t all = LentParticles{arrays}.size();
  if (all > most) throw Error("particles", std::to_string(all) + " are more than 2^30", "use fewer");
}

/// Throws as Particles::validate() does. options: of eps, what all have in common.
LentParticles looked_at(Device& device, const ParticlesOnDevice& arrays, GravityOptions& options) {
  check_rows(arrays);
  const Survey places = survey(device, 3, arrays.position, arrays.targets), masses = survey(device, 1, arrays.mass);
  const Survey lengths = survey(device, 1, arrays.eps, arrays.target_eps);
  if (places.not_finite + masses.not_finite + lengths.not_finite > 0 || masses.least < 0 || lengths.least < 0) {
    fetched(device, arrays).validate("particles");
    throw Error("particles", "have changed while they were looked at", "order the work of your streams");
  }
  LentParticles particles{arrays};
  particles.mass = masses.sum;
  particles.extent = std::max({0.0, -places.least, places.largest});
  if (arrays.eps && options.eps < 0) {
    particles.own_eps = lengths.least < lengths.largest;
    particles.least_eps = lengths.least;
    if (!particles.own_eps) options.eps = lengths.least;
  }
  return particles;
}

}  // namespace

Lending& ForceEvaluator::lending() {
  if (Lending* const lending = system_->hardware().lending()) return *lending;
  throw UsageError("backend = " + backend(), "has no memory in common with callers", "use backend cuda or cpu");
}

std::uintptr_t ForceEvaluator::stream() const { return const_cast<ForceEvaluator*>(this)->lending().queue(); }
void ForceEvaluator::wait_for(std::uintptr_t stream) { lending().wait_for(stream); }
std::shared_ptr<void> ForceEvaluator::allocate(std::size_t bytes) {
  return lending().lend(std::max<std::size_t>(bytes, 1));
}

void ForceEvaluator::evaluate_copied(const ParticlesOnDevice& arrays, const GravityOptions& options,
                                     const ForcesOnDevice& forces, const Boundary& boundary) {
  Device& device = system_->hardware();
  std::vector<Buffer> copies;
  const auto copied = [&](std::optional<ArrayOnDevice> array, std::size_t axes) {
    if (!array || array->data == nullptr || array->rows == 0) return array;
    const std::size_t bytes = array->rows * axes * sizeof(double);
    Buffer& copy = copies.emplace_back(device);
    copy.reserve(bytes);
    device.upload(copy, 0, array->data, bytes);
    array->data = copy.handle();
    return array;
  };
  const ParticlesOnDevice there = {*copied(arrays.position, 3), *copied(arrays.mass, 1), copied(arrays.eps, 1),
                                   copied(arrays.targets, 3), copied(arrays.target_eps, 1)};
  const std::size_t rows = arrays.targets ? arrays.targets->rows : arrays.position.rows;
  if (rows == 0) return evaluate(there, options, forces, boundary);
  Buffer acceleration(device), potential(device);
  acceleration.reserve(rows * 3 * sizeof(double));
  potential.reserve(rows * sizeof(double));
  evaluate(there, options, {acceleration.handle(), potential.handle(), true}, boundary);
  device.download(forces.acceleration, acceleration, 0, rows * 3 * sizeof(double));
  device.download(forces.potential, potential, 0, rows * sizeof(double));
}

void ForceEvaluator::evaluate(const ParticlesOnDevice& arrays, const GravityOptions& asked,
                              const ForcesOnDevice& forces, const Boundary& boundary) {
  Lending& lending = this->lending();
  Device& device = system_->hardware();
  boundary.validate();
  asked.validate();
  GravityOptions options = asked;
  const LentParticles particles = looked_at(device, arrays, options);
  const bool some = arrays.targets.has_value();
  if (particles.size() == 0 || (some && particles.targets() == 0)) return;
  system_->set_boundary(boundary, 0);
  system_->load(particles, options);
  system_->build_tree();
  if (some && options.mac != Mac::relative) {
    system_->evaluate_from(particles.sources());
  } else {
    system_->evaluate();
  }
  if (system_->leapfrog().not_finite() > 0) {
    const Particles host = fetched(device, arrays);
    demand_finite(*system_, {"particles", host});
  }
  system_->domain().give(some ? particles.sources() : 0, forces);
  lending.finish();
}

}  // namespace hornbeam
