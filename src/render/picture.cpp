// SPDX-License-Identifier: Apache-2.0
// One picture: each family's map of surface density, stretched logarithmically, in its colours, added as light.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "memory/particles.h"
#include "render/camera.h"
#include "render/colour.h"
#include "render/labels.h"
#include "render/surface_density.h"

namespace hornbeam::render {
namespace {

struct FamilyMap {
  Map map;            ///< surface density in `unit`, so that single precision holds masses in any units
  double unit = 0.0;  ///< mass per area
  double peak = 0.0;  ///< mass per area of full brightness if shown by itself
};
using FamilyMaps = std::array<FamilyMap, family_count>;

/// Particles this much beyond the edges, in parts of the picture, still shine into it.
constexpr double margin = 0.1;

/// Visible matter is crisp, the halo is only a glow.
Smoothing smoothing_of(Family family) { return family == Family::halo ? Smoothing{120.0, 0.0} : Smoothing{24.0, 0.04}; }

/// Value of the map at the place of a point that is brighter than nine in ten.
double peak_density(const std::vector<Point>& points, const Map& map) {
  std::vector<float> density;
  const std::size_t stride = 1 + points.size() / 100'000;  // a sample is enough for a percentile
  for (std::size_t i = 0; i < points.size(); i += stride) {
    density.push_back(map.at(static_cast<int>(points[i].x), static_cast<int>(points[i].y)));
  }
  if (density.empty()) return 0.0;
  const auto bright = density.end() - 1 - static_cast<std::ptrdiff_t>(density.size() / 10);
  std::nth_element(density.begin(), bright, density.end());
  return *bright;
}

/// The picture with its margin.
struct Canvas {
  int margin_x, margin_y, width, height;

  explicit Canvas(const Options& options)
      : margin_x(static_cast<int>(margin * options.width)),
        margin_y(static_cast<int>(margin * options.height)),
        width(options.width + 2 * margin_x),
        height(options.height + 2 * margin_y) {}
};

double largest_mass(const Particles& particles, Family family) {
  double largest = 0.0;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (particles.family[i] == family) largest = std::max(largest, particles.mass[i]);
  }
  return largest;
}

/// A family's particles on the canvas, masses in units of `mass_unit`; where that is 0, all are tracers and count 1.
std::vector<Point> points_on(const Canvas& canvas, const Projection& project, const Particles& particles, Family family,
                             double mass_unit) {
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(std::count(particles.family.begin(), particles.family.end(), family)));
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (particles.family[i] != family) continue;
    const Pixel p = project(particles.position[i]);
    const auto x = static_cast<float>(p.x + canvas.margin_x), y = static_cast<float>(p.y + canvas.margin_y);
    const bool inside =
        x >= 0.0f && y >= 0.0f && x < static_cast<float>(canvas.width) && y < static_cast<float>(canvas.height);
    if (inside) points.push_back({x, y, mass_unit > 0.0 ? static_cast<float>(particles.mass[i] / mass_unit) : 1.0f});
  }
  return points;
}

FamilyMap family_map(const Particles& particles, Family family, const Options& options, const Camera& camera) {
  const Canvas canvas(options);
  const Projection project(camera, options.width, options.height);
  const double mass_unit = largest_mass(particles, family);
  const std::vector<Point> points = points_on(canvas, project, particles, family, mass_unit);
  FamilyMap result;
  if (points.empty()) return result;
  const Map wide = surface_density(points, canvas.width, canvas.height, smoothing_of(family));
  result.unit = (mass_unit > 0.0 ? mass_unit : 1.0) * project.pixels_per_length() * project.pixels_per_length();
  result.peak = peak_density(points, wide) * result.unit;
  result.map = Map(options.width, options.height);
  for (int y = 0; y < options.height; ++y) {
    for (int x = 0; x < options.width; ++x) {
      result.map.at(x, y) = wide.at(x + canvas.margin_x, y + canvas.margin_y);
    }
  }
  return result;
}

/// When most is held: points and their scales, two pyramids of the canvas (a third more than their finest map), and a
/// map of the picture for each family.
memory::Need picture_need(const Particles& particles, const Options& options) {
  std::array<bool, family_count> there{};
  for (const Family family : particles.family) there[static_cast<std::size_t>(family)] |= shows(options, family);
  const Canvas canvas(options);
  const double pixels = static_cast<double>(options.width) * options.height;
  const double wide = static_cast<double>(canvas.width) * canvas.height;
  const auto families = static_cast<double>(std::count(there.begin(), there.end(), true));
  return {{"points", sizeof(Point) + sizeof(float)},
          {"the picture's maps", 0, sizeof(float) * (2.0 * 4 / 3 * wide + families * pixels)}};
}

FamilyMaps family_maps(const Particles& particles, const Options& options, const Camera& camera) {
  validate(options);
  memory::demand_beside(particles, picture_need(particles, options), "a smaller --width and --height");
  FamilyMaps maps;
  for (int f = 0; f < family_count; ++f) {
    const auto family = static_cast<Family>(f);
    if (shows(options, family)) maps[f] = family_map(particles, family, options, camera);
  }
  return maps;
}

Brightness peaks(const FamilyMaps& maps) {
  Brightness brightness{};
  for (int f = 0; f < family_count; ++f) brightness[f] = maps[f].peak;
  return brightness;
}

/// From 0 where the surface density is negligible to 1 at full brightness and a little beyond, logarithmic over the
/// decades between.
float stretched(double relative_density, const Options& options) {
  const double range = std::pow(10.0, options.decades);
  const double t = std::log1p(range * relative_density) / std::log1p(range);
  return static_cast<float>(std::pow(t, options.gamma));
}

bool only_halo(const FamilyMaps& maps) {
  for (int f = 0; f < family_count; ++f) {
    if (static_cast<Family>(f) != Family::halo && !maps[f].map.value.empty()) return false;
  }
  return true;
}

Image compose(const FamilyMaps& maps, const Options& options, const Brightness& brightness) {
  const float gain = only_halo(maps) ? 12.0f : 1.0f;  // a halo is dim behind stars, not by itself
  Image image{options.width, options.height, {}};
  image.rgb.resize(static_cast<std::size_t>(options.width) * options.height * 3);
#pragma omp parallel for schedule(static)
  for (int y = 0; y < options.height; ++y) {
    for (int x = 0; x < options.width; ++x) {
      Light sum{};
      for (int f = 0; f < family_count; ++f) {
        if (maps[f].map.value.empty() || !(brightness[f] > 0.0)) continue;
        const float t = stretched(maps[f].map.at(x, y) * (maps[f].unit / brightness[f]), options);
        const Light light = light_of(static_cast<Family>(f), t);
        for (int k = 0; k < 3; ++k) sum[k] += gain * light[k];
      }
      const auto rgb = developed(sum, x, y);
      std::copy(rgb.begin(), rgb.end(), image.rgb.begin() + (static_cast<std::ptrdiff_t>(y) * options.width + x) * 3);
    }
  }
  return image;
}

Image labelled(Image image, const Snapshot& snapshot, const Options& options, const Camera& camera) {
  if (options.labels) draw_labels(image, snapshot, camera);
  return image;
}

}  // namespace

Brightness exposure(const Particles& particles, const Options& options, const Camera& camera) {
  return peaks(family_maps(particles, options, camera));
}

Image draw(const Snapshot& snapshot, const Options& options) {
  const Camera camera = frame(snapshot.particles, options);
  const FamilyMaps maps = family_maps(snapshot.particles, options, camera);
  return labelled(compose(maps, options, peaks(maps)), snapshot, options, camera);
}

Image draw(const Snapshot& snapshot, const Options& options, const Camera& camera, const Brightness& brightness) {
  const FamilyMaps maps = family_maps(snapshot.particles, options, camera);
  return labelled(compose(maps, options, brightness), snapshot, options, camera);
}

}  // namespace hornbeam::render
