// SPDX-License-Identifier: Apache-2.0
// The lattice's coefficients, see transfers.h. HB_PRECISION = HB_DOUBLE.
#include "interactions/gravity/lattice/transfers.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <numbers>
#include <string>
#include <utility>

#include "hornbeam/error.h"
#include "stages/lattice.h"
#include "tree/images.h"

namespace hornbeam {

using namespace fp64;

namespace {

/// Displacements of two points from the centres of their parts add up to 2 at most. The nearest image that is none of
/// the near ones is at least 3.4 from any displacement's centre (images.h), so that this sphere is well inside.
constexpr double sphere = 2.2;
/// Circles of points between the poles, for coefficients of twice the order: harmonics above 2 order + 16, which alone
/// enter falsely, are (2.2 / 3.4)^16 of what the order leaves out.
constexpr int circles(int order) { return 2 * order + 8; }

/// Points on a sphere, and the conjugate of each harmonic there times what makes it the projection.
struct Projection {
  std::vector<Vec3> point;
  std::vector<double> factor;  ///< point by point, HB_LATTICE_TRANSFER(order) of each
};

/// All R_lm, l <= order, at a point.
std::vector<double> harmonics_at(const Vec3& at, int order) {
  std::vector<double> found(2 * HB_HARMONICS(order));
  const double r2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
  Harmonic e{1, 0};
  for (int m = 0; m <= order; ++m) {
    if (m > 0) e = next_power(e, at[0], at[1], power_factor(m));
    double here = 1, before = 0;
    for (int l = m; l <= order; ++l) {
      found[2 * HB_HARMONIC(l, m)] = e.re * here;
      found[2 * HB_HARMONIC(l, m) + 1] = e.im * here;
      const double next = next_harmonic(harmonic_step(l + 1, m), at[2], r2, here, before);
      before = here;
      here = next;
    }
  }
  return found;
}

/// (2 l + 1) (l + m)! (l - m)! / (4 pi r^2l), by which the mean of f conj(R_lm) over the sphere gives its coefficient.
double projection_factor(int l, int m) {
  double factor = (2 * l + 1) / (4 * std::numbers::pi);
  for (int k = 1; k <= l + m; ++k) factor *= k / sphere;
  for (int k = 1; k <= l - m; ++k) factor *= k / sphere;
  return factor;
}

Projection projection_to(int order) {
  Projection all;
  const int rings = circles(order / 2), around = 2 * rings;
  const GaussRule rule = gauss_rule(rings);
  std::vector<double> scale;
  for (int l = 0; l <= order; ++l) {
    for (int m = 0; m <= l; ++m) scale.push_back(projection_factor(l, m));
  }
  for (int ring = 0; ring < rings; ++ring) {
    const double z = rule.node[ring], rho = std::sqrt(1 - z * z);
    const double weight = rule.weight[ring] * 2 * std::numbers::pi / around;
    for (int k = 0; k < around; ++k) {
      const double phi = 2 * std::numbers::pi * k / around;
      const Vec3 at = {sphere * rho * std::cos(phi), sphere * rho * std::sin(phi), sphere * z};
      all.point.push_back(at);
      const std::vector<double> harmonic = harmonics_at(at, order);
      for (std::size_t c = 0; c < scale.size(); ++c) {
        all.factor.push_back(weight * scale[c] * harmonic[2 * c]);
        all.factor.push_back(-weight * scale[c] * harmonic[2 * c + 1]);
      }
    }
  }
  return all;
}

/// h_lm about one displacement.
std::vector<double> projected(const PairPotential& pair, const Vec3& displacement, const Projection& onto) {
  const std::size_t values = onto.factor.size() / onto.point.size();
  std::vector<double> found(values);
  for (std::size_t p = 0; p < onto.point.size(); ++p) {
    Vec3 r = displacement;
    double r2 = 0;
    for (int k = 0; k < 3; ++k) {
      r[k] += onto.point[p][k];
      r2 += r[k] * r[k];
    }
    const double harmonic_part = pair.far(r).value - pair.background() * r2;
    for (std::size_t c = 0; c < values; ++c) found[c] += harmonic_part * onto.factor[p * values + c];
  }
  return found;
}

/// The coefficients of the displacement whose components have these signs, from those of positive ones: the lattice is
/// its own mirror image along each axis.
std::vector<double> mirrored(std::vector<double> h, const std::array<bool, 3>& negative, int order) {
  for (int l = 0; l <= order; ++l) {
    for (int m = 0; m <= l; ++m) {
      const bool odd = m % 2 != 0;
      const bool flips = (negative[2] && (l + m) % 2 != 0) != (negative[0] && odd);
      const double sign = flips ? -1 : 1, conjugate = negative[0] != negative[1] ? -1 : 1;
      h[2 * HB_HARMONIC(l, m)] *= sign;
      h[2 * HB_HARMONIC(l, m) + 1] *= sign * conjugate;
    }
  }
  return h;
}

/// Shortest periods along an axis, and parts in all: each attracts each.
constexpr int most_along = 32;
constexpr double most_parts = 2048;

[[noreturn]] void refuse_parts(int axis) {
  throw Error("boundary.kind = periodic",
              std::string("the particles extend over more than ") + std::to_string(most_along) +
                  " times the shortest period along " + "xyz"[axis] + ", or the box is longer than that",
              "use a longer period, or boundary.n_ghost_x, _y and _z for a finite sum of images");
}

}  // namespace

LatticePlan plan_lattice(const Vec3& periods, const LatticeExtent& extent, int order) {
  const NearImages near = near_images_of(periods);
  LatticePlan plan{.periods = periods, .parts = near.parts, .order = order};
  double diagonal2 = 0, parts = 1;
  for (int k = 0; k < 3; ++k) {
    const double length = periods[k] > 0 ? periods[k] : extent.high[k] - extent.low[k];
    const double count = periods[k] > 0 ? near.parts[k] : std::max(1.0, std::ceil(length / near.edge - 1e-9));
    parts *= count;
    if (!(length <= most_along * shortest_period(periods) * (1 + 1e-9) && parts <= most_parts)) refuse_parts(k);
    plan.parts[k] = static_cast<int>(count);
    plan.edge[k] = periods[k] > 0 ? length / count : near.edge;
    const double middle = periods[k] > 0 ? 0 : extent.low[k] + (extent.high[k] - extent.low[k]) / 2;
    plan.low[k] = middle - count / 2 * plan.edge[k];
    diagonal2 += plan.edge[k] * plan.edge[k];
  }
  plan.scale = 2 / std::sqrt(diagonal2);
  return plan;
}

std::vector<double> offsets_of_cubes(const LatticePlan& plan, int along) {
  std::vector<double> all;
  const auto opposite = [&](int axis, int at) { return (0.5 - (at + 0.5) / along) * plan.edge[axis] * plan.scale; };
  for (int a = 0; a < along; ++a) {
    for (int b = 0; b < along; ++b) {
      for (int c = 0; c < along; ++c) {
        const Vec3 at = {opposite(0, a), opposite(1, b), opposite(2, c)};
        std::vector<double> moments = harmonics_at(at, plan.order);
        moments[1] = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        all.insert(all.end(), moments.begin(), moments.end());
      }
    }
  }
  return all;
}

namespace {

Vec3 times(const Vec3& lengths, double factor) {
  return {lengths[0] * factor, lengths[1] * factor, lengths[2] * factor};
}

/// The coefficients of the boxes that came last in this process, for the next tree in one of them: those of a cube take
/// 0.1 s to make, of 1 : 2 : 4 0.7 s. For any thread.
class RecentBoxes {
 public:
  using Coefficients = std::map<std::array<int, 3>, std::vector<double>>;
  /// What decides about them, in units of plan.scale.
  struct Shape {
    Vec3 periods{}, edge{};
    int order = 0;
    bool operator==(const Shape&) const = default;
  };

  /// None where the shape did not come lately.
  Coefficients of(const Shape& shape) {
    const std::lock_guard lock(mutex_);
    for (const auto& [other, coefficients] : boxes_) {
      if (other == shape) return coefficients;
    }
    return {};
  }
  void keep(const Shape& shape, const Coefficients& coefficients) {
    constexpr std::size_t most_boxes = 4, most_displacements = 100;  // some megabytes
    if (coefficients.size() > most_displacements) return;
    const std::lock_guard lock(mutex_);
    std::erase_if(boxes_, [&](const auto& box) { return box.first == shape; });
    boxes_.emplace_front(shape, coefficients);
    if (boxes_.size() > most_boxes) boxes_.pop_back();
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<Shape, Coefficients>> boxes_;
};

RecentBoxes& recent_boxes() {
  static RecentBoxes boxes;
  return boxes;
}

}  // namespace

/// Makes the coefficients of displacements that no plan has had yet.
void LatticeTransfers::add_missing(const LatticePlan& plan) {
  const RecentBoxes::Shape shape{times(plan.periods, plan.scale), times(plan.edge, plan.scale), plan.order};
  if (plan.periods != periods_ || plan.order != order_) {
    periods_ = plan.periods;
    order_ = plan.order;
    of_positive_ = recent_boxes().of(shape);
    pair_.emplace(shape.periods);
  }
  std::vector<std::pair<std::array<int, 3>, std::vector<double>*>> missing;
  for (int a = 0; a < plan.parts[0]; ++a) {
    for (int b = 0; b < plan.parts[1]; ++b) {
      for (int c = 0; c < plan.parts[2]; ++c) {
        std::vector<double>& found = of_positive_[{a, b, c}];
        if (found.empty()) missing.push_back({{a, b, c}, &found});
      }
    }
  }
  if (missing.empty()) return;
  const Projection onto = projection_to(2 * plan.order);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t d = 0; d < missing.size(); ++d) {
    Vec3 displacement{};
    for (int k = 0; k < 3; ++k) displacement[k] = missing[d].first[k] * plan.edge[k] * plan.scale;
    *missing[d].second = projected(*pair_, displacement, onto);
  }
  recent_boxes().keep(shape, of_positive_);
}

std::vector<double> LatticeTransfers::of(const LatticePlan& plan) {
  add_missing(plan);
  const auto [nx, ny, nz] = plan.parts;
  std::vector<double> all;
  for (int a = 1 - nx; a < nx; ++a) {
    for (int b = 1 - ny; b < ny; ++b) {
      for (int c = 1 - nz; c < nz; ++c) {
        const std::vector<double> h =
            mirrored(of_positive_[{std::abs(a), std::abs(b), std::abs(c)}], {a < 0, b < 0, c < 0}, 2 * plan.order);
        all.insert(all.end(), h.begin(), h.end());
      }
    }
  }
  return all;
}

}  // namespace hornbeam
