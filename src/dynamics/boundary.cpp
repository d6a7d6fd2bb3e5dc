// SPDX-License-Identifier: Apache-2.0
// Images and wraps, see boundary.h.
#include "dynamics/boundary.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "hornbeam/error.h"
#include "stages/wrap.h"

namespace hornbeam {
namespace {

constexpr std::array<std::string_view, 2> kind_names = {"open", "periodic"};
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
  throw UsageError(std::string(subject), "received " + std::string(text), "there are open and periodic");
}

void Boundary::validate() const {
  bool any = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string ghosts = std::string("boundary.n_ghost_") + axis_names[k];
    any = any || size[k] > 0;
    if (!(size[k] >= 0) || !std::isfinite(size[k])) {
      throw UsageError("boundary.size", "must be three lengths, finite and 0 (open) or above");
    }
    if (n_ghost[k] < 0 || n_ghost[k] > most_ghosts) {
      throw UsageError(ghosts, "is " + std::to_string(n_ghost[k]) + ", must be from 0 to 16");
    }
    if (n_ghost[k] > 0 && size[k] == 0) {
      throw UsageError(ghosts, "asks for images along an axis that is open", "give that axis a size, or 0 images");
    }
  }
  if (kind == BoundaryKind::periodic && !any) {
    throw UsageError("boundary.kind = periodic", "needs boundary.size, the edges of the box",
                     "give size = [x, y, z], 0 for an axis that is open");
  }
  if (kind == BoundaryKind::open && any) {
    throw UsageError("boundary.size", "is of no use where the boundary is open", "give kind = \"periodic\"");
  }
}

std::vector<SourceImage> images_of(const Boundary& boundary) {
  if (boundary.kind == BoundaryKind::open) return one_image;
  const auto& n = boundary.n_ghost;
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
  }
  return images;
}

Vec3 periods_of(const Boundary& boundary) { return boundary.kind == BoundaryKind::periodic ? boundary.size : Vec3{}; }

void wrap(std::vector<Vec3>& positions, const Boundary& boundary) {
  const Vec3 period = periods_of(boundary);
  for (Vec3& x : positions) {
    for (std::size_t k = 0; k < 3; ++k) x[k] = mixed::wrapped(x[k], period[k]);
  }
}

}  // namespace hornbeam
