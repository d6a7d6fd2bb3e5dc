// SPDX-License-Identifier: Apache-2.0
// Far images for checks, see reference.h. HB_PRECISION = HB_DOUBLE.
#include "interactions/gravity/lattice/reference.h"

#include <algorithm>

#include "interactions/gravity/lattice/transfers.h"
#include "stages/lattice.h"
#include "stages/wrap.h"

HB_OPEN
namespace {

/// Particles as three columns, back in the box, and their masses.
struct Columns {
  std::vector<double> x, y, z, mass;
};

Columns columns_in_box(const Particles& all, const Vec3& periods) {
  Columns c;
  for (std::size_t i = 0; i < all.size(); ++i) {
    c.x.push_back(wrapped(all.position[i][0], periods[0]));
    c.y.push_back(wrapped(all.position[i][1], periods[1]));
    c.z.push_back(wrapped(all.position[i][2], periods[2]));
    c.mass.push_back(all.mass[i]);
  }
  return c;
}

void add_pairs(const Columns& c, const std::vector<std::size_t>& which, double G, const Vec3& periods,
               std::vector<std::array<double, 4>>& forces) {
  const PairPotential pair(periods);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t t = 0; t < which.size(); ++t) {
    const std::size_t i = which[t];
    std::array<double, 4> sum{};
    for (std::size_t j = 0; j < c.x.size(); ++j) {
      if (c.mass[j] == 0) continue;
      const PairField field = pair.far({c.x[i] - c.x[j], c.y[i] - c.y[j], c.z[i] - c.z[j]});
      for (int k = 0; k < 3; ++k) sum[k] += c.mass[j] * field.gradient[k];
      sum[3] -= c.mass[j] * field.value;
    }
    for (int k = 0; k < 4; ++k) forces[t][k] += G * sum[k];
  }
}

LatticeExtent extent_of(const Columns& c) {
  LatticeExtent extent;
  const std::vector<double>* const axes[3] = {&c.x, &c.y, &c.z};
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(axes[k]->begin(), axes[k]->end());
    extent.low[k] = *low;
    extent.high[k] = *high;
  }
  return extent;
}

LatticeBox box_of(const LatticePlan& plan, double background) {
  return {plan.low[0],
          plan.low[1],
          plan.low[2],
          plan.edge[0],
          plan.edge[1],
          plan.edge[2],
          plan.scale,
          background,
          plan.parts[0],
          plan.parts[1],
          plan.parts[2],
          plan.order,
          1,
          1,
          1};
}

/// Local expansions of all parts.
std::vector<double> locals_of(const Columns& c, const LatticeBox& box, const std::vector<double>& transfers) {
  const auto n = static_cast<i32>(c.x.size());
  const i32 coefficients = box.parts_x * box.parts_y * box.parts_z * HB_HARMONICS(box.order);
  std::vector<double> moments(2 * static_cast<std::size_t>(coefficients)), locals(moments.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (i32 m = 0; m <= box.order; ++m) {
    lattice_moments_of(box, m, 0, n, c.x.data(), c.y.data(), c.z.data(), c.mass.data(), nullptr, moments.data());
  }
#pragma omp parallel for schedule(static)
  for (i32 item = 0; item < coefficients; ++item) {
    lattice_local(box, item, moments.data(), transfers.data(), locals.data());
  }
  return locals;
}

void add_expanded(const Columns& c, const std::vector<std::size_t>& which, double G, const LatticePlan& plan,
                  std::vector<std::array<double, 4>>& forces) {
  LatticeTransfers made;
  const std::vector<double> transfers = made.of(plan);
  const LatticeBox box = box_of(plan, made.background());
  const std::vector<double> locals = locals_of(c, box, transfers);
  const i32 coefficients = HB_HARMONICS(box.order), values = HB_LATTICE_VALUES(box.order);
  std::vector<LatticeTerm> terms;
  for (const double* of = locals.data(); of < locals.data() + locals.size(); of += values) {
    for (i32 k = 0; k < coefficients; ++k) {
      const i32 l = degree_of_harmonic(k);
      terms.push_back(lattice_term(of, box.order, l, k - HB_HARMONIC(l, 0)));
    }
  }
  const double potential = G * plan.scale, acceleration = potential * plan.scale;
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < which.size(); ++t) {
    const auto i = static_cast<i32>(which[t]);
    const LatticePack pack = lattice_pack(box, c.x.data(), c.y.data(), c.z.data(), nullptr, i, i + 1);
    const std::ptrdiff_t part = pack.part[0];
    const LatticeField field =
        lattice_field(&pack, terms.data() + part * coefficients, locals[part * values + 1], box.order);
    forces[t][0] += acceleration * field.x[0];
    forces[t][1] += acceleration * field.y[0];
    forces[t][2] += acceleration * field.z[0];
    forces[t][3] -= potential * field.value[0];
  }
}

}  // namespace

int reference_order_for(std::size_t n, std::size_t count) {
  constexpr std::size_t few_pairs = 200'000;
  return n * count <= few_pairs ? 0 : reference_order;
}

void add_far_images(const Particles& all, const std::vector<std::size_t>& which, double G, const Vec3& periods,
                    int order, std::vector<std::array<double, 4>>& forces) {
  if (all.size() == 0 || which.empty()) return;
  const Columns columns = columns_in_box(all, periods);
  if (order == 0) return add_pairs(columns, which, G, periods, forces);
  add_expanded(columns, which, G, plan_lattice(periods, extent_of(columns), order), forces);
}

HB_CLOSE
