// SPDX-License-Identifier: Apache-2.0
// Gas by sums over all pairs in fp64, as plain as can be: what every backend's is compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/materials.h"
#include "hornbeam/particles.h"
#include "interactions/sph/gas_module.h"
#include "physics/gradient.h"
#include "physics/sph_kernel.h"

namespace hornbeam {

/// The precisions in which a backend's gas is tested, the finest first. PoCL's compiler takes minutes for the kernels
/// of gas in fp64, which nothing else launches: backends/GasInDoubleLong sets HORNBEAM_TEST_GAS_IN_DOUBLE.
inline std::vector<Precision> precisions_of_gas(const std::string& backend) {
  if (backend == "opencl" && std::getenv("HORNBEAM_TEST_GAS_IN_DOUBLE") == nullptr) return {Precision::mixed};
  return {Precision::fp64, Precision::mixed};
}
inline Precision finest_of_gas(const std::string& backend) { return precisions_of_gas(backend).front(); }

/// The tolerance of what is evaluated in the finest precision: in fp64, or in mixed.
inline double by_precision(const std::string& backend, double in_fp64, double in_mixed) {
  return finest_of_gas(backend) == Precision::fp64 ? in_fp64 : in_mixed;
}

/// What the sums say of each particle.
struct PlainGas {
  std::vector<double> smooth, density, omega, rate;
  std::vector<Vec3> acceleration;
};

namespace plain {

/// The ways from particle i to all others and their images, of `box` (0: open) within two layers.
template <class Meet>
void for_all_ways(const Particles& p, std::size_t i, const Vec3& box, const Meet& meet) {
  std::array<int, 3> layers{};
  for (std::size_t k = 0; k < 3; ++k) layers[k] = box[k] > 0 ? 2 : 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    if (p.family[j] != Family::gas) continue;
    for (int a = -layers[0]; a <= layers[0]; ++a) {
      for (int b = -layers[1]; b <= layers[1]; ++b) {
        for (int c = -layers[2]; c <= layers[2]; ++c) {
          const Vec3 x = {p.position[j][0] - p.position[i][0] + a * box[0],
                          p.position[j][1] - p.position[i][1] + b * box[1],
                          p.position[j][2] - p.position[i][2] + c * box[2]};
          meet(j, x, std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
      }
    }
  }
}

/// The rates of strain around particle i, as a matrix.
inline std::array<Vec3, 3> strain(const Particles& p, std::size_t i, const Vec3& box, double H, int kernel) {
  mixed::FlowSums<double> sums{};
  for_all_ways(p, i, box, [&](std::size_t j, const Vec3& x, double r) {
    if (r == 0 || r >= H) return;
    const Vec3 &v = p.velocity[j], &own = p.velocity[i];
    sums = mixed::gradients_with(sums, p.mass[j] * mixed::kernel_slope(kernel, r / H),
                                 mixed::Way3<double>{x[0], x[1], x[2]},
                                 mixed::Way3<double>{v[0] - own[0], v[1] - own[1], v[2] - own[2]}, {});
  });
  const mixed::FlowGradients g = mixed::flow_gradients(sums, 0, 1, 1, 1);
  const auto& [xx, yy, zz] = g.stretch;
  const auto& [yz, xz, xy] = g.shear;
  return {Vec3{xx, xy, xz}, Vec3{xy, yy, yz}, Vec3{xz, yz, zz}};
}

/// x S x.
inline double twice_along(const std::array<Vec3, 3>& S, const Vec3& x) {
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) sum += x[a] * S[a][b] * x[b];
  }
  return sum;
}

}  // namespace plain

/// Of ideal gas, or of `materials`, with fixed viscosity, reconstructed or not, without gravity: docs/gas.md eq. 1 to 3
/// and 10 to 14.
inline PlainGas plain_gas(const Particles& p, const GasOptions& o, const Vec3& box,
                          const Materials* materials = nullptr) {
  const std::size_t n = p.size();
  const int kernel = static_cast<int>(o.kernel);
  const double C = mixed::kernel_constant(kernel), crowd = 3 * o.effective_neighbours() / (4 * std::numbers::pi);
  const double excess =
      o.bias_correction ? own_excess(o.kernel, o.effective_neighbours()) * mixed::kernel_value(kernel, 0.0) : 0;
  PlainGas g;
  g.smooth.resize(n);
  g.density.resize(n);
  g.omega.resize(n);
  g.rate.resize(n);
  g.acceleration.resize(n);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < n; ++i) {
    if (p.family[i] != Family::gas) continue;
    std::vector<std::pair<double, double>> others;  // distance, mass
    double low = 1e-9, high = 0.25, S = 0, T = 0;
    do {  // as far as H may be: more mass than it holds
      high *= 2;
      others.clear();
      S = 0;
      plain::for_all_ways(p, i, box, [&](std::size_t j, const Vec3&, double r) {
        if (r >= high) return;
        others.emplace_back(r, p.mass[j]);
        S += p.mass[j] * mixed::kernel_value(kernel, r / high);
      });
      S -= excess * p.mass[i];
    } while (C * S < crowd * p.mass[i] && high < 1e3);
    for (int turn = 0; turn < 70; ++turn) {  // to the last bit
      const double H = std::sqrt(low * high);
      S = T = 0;
      for (const auto& [r, m] : others) {
        if (r >= H) continue;
        S += m * mixed::kernel_value(kernel, r / H);
        T += m * (r / H) * (r / H) * mixed::kernel_slope(kernel, r / H);
      }
      S -= excess * p.mass[i];
      (C * S < crowd * p.mass[i] ? low : high) = H;
      g.smooth[i] = H;
    }
    g.density[i] = C * S / std::pow(g.smooth[i], 3);
    g.omega[i] = -T / (3 * S);
  }
  std::vector<std::array<Vec3, 3>> strains(n);
  for (std::size_t i = 0; i < n && o.reconstruct; ++i) strains[i] = plain::strain(p, i, box, g.smooth[i], kernel);
  std::vector<MaterialState> states(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (p.family[i] != Family::gas) continue;
    const double rho = g.density[i], u = p.internal_energy[i];
    states[i] = {(o.gamma - 1) * rho * u, std::sqrt(o.gamma * (o.gamma - 1) * u)};
    if (materials != nullptr) states[i] = materials->of(static_cast<int>(p.material[i])).state(rho, u);
  }
  const auto pressure = [&](std::size_t i) { return states[i].pressure; };
  const auto sound = [&](std::size_t i) { return states[i].sound; };
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < n; ++i) {
    if (p.family[i] != Family::gas) continue;
    plain::for_all_ways(p, i, box, [&](std::size_t j, const Vec3& x, double r) {
      if (r == 0 || r >= std::max(g.smooth[i], g.smooth[j])) return;
      double along = 0;  // v_ij . r_ij / r
      for (std::size_t k = 0; k < 3; ++k) along += (p.velocity[j][k] - p.velocity[i][k]) * x[k] / r;
      double felt = along;
      if (o.reconstruct) {  // eq. 10b
        const double a = plain::twice_along(strains[i], x) / r, b = plain::twice_along(strains[j], x) / r;
        const double gap = 10 * (std::cbrt(1 / crowd) - r / std::max(g.smooth[i], g.smooth[j]));
        const double close = gap > 0 ? std::max(1 - gap * gap, 0.0) : 1;
        const double alike = a * b > 0 ? 4 * a * b / ((a + b) * (a + b)) : 0;
        felt = along - alike * close * (a + b) / 2;
        if (felt * along <= 0) felt = 0;
      }
      const auto term = [&](std::size_t k) {
        const double H = g.smooth[k];
        const double slope = r < H ? C / std::pow(H, 4) * mixed::kernel_slope(kernel, r / H) * (r / H) : 0;
        const double q = felt < 0 ? -0.5 * g.density[k] * (o.alpha * sound(k) - o.beta * felt) * felt : 0;
        return std::pair{(pressure(k) + q) * slope / (g.omega[k] * g.density[k] * g.density[k]),
                         slope / (g.omega[k] * g.density[k])};
      };
      const auto [mine, my_volume] = term(i);
      const auto [theirs, their_volume] = term(j);
      for (std::size_t k = 0; k < 3; ++k) g.acceleration[i][k] += p.mass[j] * (mine + theirs) * x[k] / r;
      const bool alike = materials == nullptr || p.material[i] == p.material[j];
      const double exchange =
          !alike ? 0 : std::sqrt(2 * std::abs(pressure(i) - pressure(j)) / (g.density[i] + g.density[j]));
      g.rate[i] +=
          p.mass[j] * (mine * along + 0.5 * o.conductivity * exchange * (p.internal_energy[i] - p.internal_energy[j]) *
                                          (my_volume + their_volume));
    });
  }
  return g;
}

/// What a system makes of one evaluation: fields as Domain::save() writes them, accelerations in the user's units.
inline Particles gas_evaluated(const std::string& backend, Particles p, const GasOptions& options, const Vec3& box,
                               Precision precision, int threads = 0, bool self_gravity = false,
                               const Units& units = {}) {
  ParticleSystem system = open_system(backend, 0, threads);
  Boundary boundary;
  if (box != Vec3{}) {
    boundary.kind = BoundaryKind::periodic;
    boundary.size = box;
  }
  system.set_boundary(boundary, 0);
  system.set_modules({gas_maker(options)}, self_gravity, units);
  GravityOptions gravity;
  gravity.eps = 0.01;
  gravity.precision = precision;
  system.load(p, gravity);
  system.build_tree();
  system.evaluate();
  system.domain().save(p);
  system.domain().store(p);
  return p;
}

inline Particles gas_evaluated(const std::string& backend, Particles p, const GasOptions& options, const Vec3& box) {
  return gas_evaluated(backend, std::move(p), options, box, finest_of_gas(backend));
}

}  // namespace hornbeam
