// SPDX-License-Identifier: Apache-2.0
// Images and wraps, see boundary.h.
#include "tree/boundary.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "physics/epicycle.h"
#include "stages/wrap.h"

namespace hornbeam {
namespace {

constexpr std::array<std::string_view, 3> kind_names = {"open", "periodic", "shear"};
constexpr std::array<char, 3> axis_names = {'x', 'y', 'z'};
constexpr int most_ghosts = 16;  ///< 33^3 walks would take longer than any answer is worth

/// Steps from box to box.
struct Cell {
  std::array<int, 3> at;
  [[nodiscard]] int distance2() const { return at[0] * at[0] + at[1] * at[1] + at[2] * at[2]; }
};

}  // namespace

std::string_view name(BoundaryKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

template <>
BoundaryKind parse<BoundaryKind>(std::string_view subject, std::string_view text) {
  const auto found = std::find(kind_names.begin(), kind_names.end(), text);
  if (found != kind_names.end()) return static_cast<BoundaryKind>(found - kind_names.begin());
  throw UsageError(std::string(subject), "received " + std::string(text), "must be open, periodic or shear");
}

std::string in_words(const Boundary& b) {
  std::string words = std::string(name(b.kind)) + " box of " + shortest(b.size[0]) + " x " + shortest(b.size[1]) +
                      " x " + shortest(b.size[2]);
  if (b.kind == BoundaryKind::shear) words += ", omega " + shortest(b.omega);
  return words;
}

bool same_walls(const Boundary& a, const Boundary& b) {
  constexpr double rounding = 1e-6;
  const auto same = [](double one, double other) { return std::abs(one - other) <= rounding * std::abs(one); };
  return a.kind == b.kind && same(a.size[0], b.size[0]) && same(a.size[1], b.size[1]) && same(a.size[2], b.size[2]) &&
         same(a.omega, b.omega) && same(a.omega_z, b.omega_z);
}

namespace {

void validate_sheet(const Boundary& b) {
  if (!(b.omega > 0) || !std::isfinite(b.omega)) {
    throw UsageError("boundary.omega", "must be finite and above 0");
  }
  if (!(b.omega_z >= 0) || !std::isfinite(b.omega_z)) {
    throw UsageError("boundary.omega_z", "must be finite and above 0, or 0 for the value of omega");
  }
  if (b.size[0] > 0 && b.size[1] > 0) return;
  throw UsageError("boundary.size", "is 0 along x or y, along which a shearing sheet is periodic", "give both edges");
}

}  // namespace

void Boundary::validate() const {
  bool any = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string ghosts = std::string("boundary.n_ghost_") + axis_names[k];
    any = any || size[k] > 0;
    if (!(size[k] >= 0) || !std::isfinite(size[k])) {
      throw UsageError("boundary.size", "must be three lengths, finite and 0 (open) or above");
    }
    if (n_ghost[k] < not_given || n_ghost[k] > most_ghosts) {
      throw UsageError(ghosts, "is " + std::to_string(n_ghost[k]) + ", must be from 0 to 16");
    }
    if (n_ghost[k] > 0 && (size[k] == 0 || kind == BoundaryKind::open)) {
      throw UsageError(ghosts, "requests images along an open axis", "give that axis a size, or 0 images");
    }
  }
  if (kind != BoundaryKind::open && !any) {
    throw UsageError("boundary.kind = " + std::string(name(kind)), "needs boundary.size, the edges of the box",
                     "give size = [x, y, z], 0 for an axis that is open");
  }
  if (kind == BoundaryKind::shear) validate_sheet(*this);
}

namespace {

/// How far the box `steps` further along x has drifted along y at a time: the same both ways, with the other sign. In
/// long double, since it grows with the time for all of a run.
double drift_of(const Boundary& b, int steps, double time) {
  if (b.kind != BoundaryKind::shear || steps == 0) return 0;
  const long double far = 1.5L * b.omega * b.size[0] * std::abs(steps) * time, period = b.size[1];
  const auto within = static_cast<double>(far - period * std::floor(far / period + 0.5L));
  return steps > 0 ? -within : within;
}

double speed_of(const Boundary& b) { return b.kind == BoundaryKind::shear ? -1.5 * b.omega * b.size[0] : 0; }

std::vector<SourceImage> images(const Boundary& boundary, const std::array<int, 3>& n, double time) {
  if (boundary.kind == BoundaryKind::open) return one_image;
  std::vector<Cell> cells;
  for (int x = -n[0]; x <= n[0]; ++x) {
    for (int y = -n[1]; y <= n[1]; ++y) {
      for (int z = -n[2]; z <= n[2]; ++z) cells.push_back({{x, y, z}});
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.distance2() < b.distance2(); });
  std::vector<SourceImage> images(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) images[i].shift[k] = cells[i].at[k] * boundary.size[k];
    images[i].shift[1] += drift_of(boundary, cells[i].at[0], time);
    images[i].velocity[1] = cells[i].at[0] * speed_of(boundary);
  }
  return images;
}

}  // namespace

std::vector<SourceImage> images_of(const Boundary& boundary, double time) {
  if (boundary.is_lattice()) return images(boundary, near_images_of(boundary.size).layers, time);
  return images(boundary, {boundary.images(0), boundary.images(1), boundary.images(2)}, time);
}

std::vector<SourceImage> neighbouring_images(const Boundary& boundary, double time) {
  std::array<int, 3> one{};
  for (std::size_t k = 0; k < 3; ++k) one[k] = boundary.size[k] > 0 ? 1 : 0;
  return images(boundary, one, time);
}

std::vector<SourceImage> images_within(const Boundary& boundary, double time, double reach) {
  std::array<int, 3> layers{};
  for (std::size_t k = 0; k < 3; ++k) {
    layers[k] = boundary.size[k] > 0 ? static_cast<int>(std::floor(reach / boundary.size[k])) + 1 : 0;
  }
  return images(boundary, layers, time);
}

BoxNow periodic_box(const Boundary& b, double time) {
  if (b.kind == BoundaryKind::open) return {};
  return {b.size, drift_of(b, 1, time), speed_of(b)};
}

void wrap(std::vector<Vec3>& positions, std::vector<Vec3>& velocities, const Boundary& boundary, double time) {
  if (boundary.kind == BoundaryKind::open) return;
  const BoxNow now = periodic_box(boundary, time);
  const mixed::PeriodicBox box = {now.period[0], now.period[1], now.period[2], now.drift, now.speed};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Vec3& x = positions[i];
    const mixed::WrappedPlace to = mixed::wrapped_place(box, x[0], x[1], x[2]);
    x = {to.x, to.y, to.z};
    if (!velocities.empty()) velocities[i][1] += to.vy;
  }
}

SheetStep epicycle_step(const Boundary& b, double dt) {
  const double z = b.omega_z > 0 ? b.omega_z : b.omega;
  return {
      b.omega, z, dt, -std::sin(b.omega * dt), -std::tan(b.omega * dt / 2), -std::sin(z * dt), -std::tan(z * dt / 2)};
}

void drift_epicycles(Particles& particles, const Boundary& boundary, double dt) {
  const SheetStep s = epicycle_step(boundary, dt);
  const mixed::EpicycleStep step = {s.omega, s.omega_z, s.dt, s.sine, s.tangent, s.sine_z, s.tangent_z};
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Vec3 &x = particles.position[i], &v = particles.velocity[i];
    const mixed::EpicyclePoint to = mixed::epicycle(step, x[0], x[1], x[2], v[0], v[1], v[2]);
    x = {to.x, to.y, to.z};
    v = {to.vx, to.vy, to.vz};
  }
  for (Vec3& spin : particles.spin) {
    const mixed::SpinInPlane to = mixed::turned_spin(step, spin[0], spin[1]);
    spin = {to.x, to.y, spin[2]};
  }
}

}  // namespace hornbeam
