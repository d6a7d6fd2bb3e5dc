// SPDX-License-Identifier: Apache-2.0
// Maps and stars of a picture's families, see layers.h.
#include "render/layers.h"

#include <algorithm>
#include <cmath>

#include "memory/particles.h"
#include "render/gas_points.h"

namespace hornbeam::render {
namespace {

/// Few particles over which each is spread leave noise, many blur; what is best grows as n^(2/3) on a plane. A halo
/// behind visible matter is only a glow.
Smoothing smoothing_of(std::size_t n, Look look, const Canvas& canvas) {
  const double best = std::clamp(0.12 * std::pow(static_cast<double>(n), 2.0 / 3.0), 10.0, 200.0);
  return {look == Look::halo ? 4.0 * best : best, std::min(canvas.margin_x, canvas.margin_y) - 1.0};
}

/// Value of the map at the place of a point that is brighter than nine in ten; more where few kernels lie upon one
/// another: the surface density of a handful of particles is a faint glow about each.
double peak_density(const std::vector<Point>& points, const std::vector<float>& radii, const Map& map) {
  std::vector<float> density;
  const std::size_t stride = 1 + points.size() / 100'000;  // a sample is enough for a percentile
  const float kernels = 15.0f + 600.0f / static_cast<float>(points.size());
  constexpr float kernel_peak = 5.0f / 3.1415927f;
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const float alone = points[i].mass * kernel_peak / (radii[i] * radii[i]);
    density.push_back(std::max(map.at(static_cast<int>(points[i].x), static_cast<int>(points[i].y)), kernels * alone));
  }
  const auto bright = density.end() - 1 - static_cast<std::ptrdiff_t>(density.size() / 10);
  std::nth_element(density.begin(), bright, density.end());
  return *bright;
}

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
    const float mass = mass_unit > 0.0 ? static_cast<float>(particles.mass[i] / mass_unit) : 1.0f;
    if (inside) points.push_back({x, y, mass, static_cast<std::uint32_t>(i)});
  }
  return points;
}

void add_stars(LightMap& stars, const std::vector<Point>& points, const std::vector<float>& radii,
               const Smoothing& smoothing, const Canvas& canvas, const Particles& particles, Look look) {
  double mass = 0.0;
  for (const Point& p : points) mass += p.mass;
  const double per_mass = mass > 0.0 ? static_cast<double>(points.size()) / mass : 0.0;
  const float faintest = std::clamp(8.0f / std::sqrt(static_cast<float>(points.size())), 0.14f, 2.0f);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    const auto crowd = static_cast<float>(smoothing.neighbours / (3.1415927 * radii[i] * radii[i]));
    add_star(stars,
             {p.x - static_cast<float>(canvas.margin_x), p.y - static_cast<float>(canvas.margin_y), crowd,
              static_cast<float>(p.mass * per_mass), particles.id[p.index]},
             faintest, tint_of(look));
  }
}

/// Gas is in its own kernels.
std::vector<float> kernel_radii(const std::vector<Point>& points, const Particles& particles,
                                double pixels_per_length) {
  std::vector<float> radii(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double radius = particles.smoothing_length[points[k].index] * pixels_per_length;
    radii[k] = std::max(narrowest, static_cast<float>(radius));
  }
  return radii;
}

bool has_stars(Look look) { return look != Look::gas && look != Look::halo; }

void add_family(Layers& layers, const Particles& particles, Family family, const Options& options, const Camera& camera,
                bool with_stars) {
  const Canvas canvas(options.width, options.height);
  const Projection project(camera, options.width, options.height);
  const double mass_unit = largest_mass(particles, family);
  const std::vector<Point> points = points_on(canvas, project, particles, family, mass_unit);
  if (points.empty()) return;
  const Look look = look_of(family, layers);
  constexpr std::size_t a_few = 16;  // black holes: they are no continuum
  const Smoothing smoothing = smoothing_of(points.size(), look, canvas);
  const bool own_kernels = family == Family::gas && has_kernels(particles);
  const std::vector<float> radii = own_kernels ? kernel_radii(points, particles, project.pixels_per_length())
                                               : smoothing_radii(points, canvas.width, canvas.height, smoothing);
  if (with_stars && has_stars(look)) add_stars(layers.stars, points, radii, smoothing, canvas, particles, look);
  if (look == Look::black_holes && points.size() < a_few) return;
  const Map wide =
      own_kernels ? surface_density(points, radii, canvas.width, canvas.height, {projected(options.gas.kernel)}, {})
                  : surface_density(points, radii, canvas.width, canvas.height);
  FamilyMap& result = layers.families[static_cast<std::size_t>(family)];
  result.unit = (mass_unit > 0.0 ? mass_unit : 1.0) * project.pixels_per_length() * project.pixels_per_length();
  result.tracers = mass_unit == 0.0;
  result.peak = peak_density(points, radii, wide) * result.unit;
  result.map = canvas.picture(wide);
}

/// When most is held: points with their radii and order, a pyramid of the canvas (a third more than its finest map) and
/// its freed predecessor, stars, and a map of the picture for each family.
memory::Need picture_need(const Layers& layers, const Options& options) {
  const Canvas canvas(options.width, options.height);
  const double pixels = static_cast<double>(options.width) * options.height;
  const double wide = static_cast<double>(canvas.width) * canvas.height;
  const auto families = static_cast<double>(std::count(layers.shown.begin(), layers.shown.end(), true));
  return {{"points", sizeof(Point) + 8 * sizeof(float)},
          {"the picture's maps", 0, sizeof(float) * (1.6 * wide + (3.0 + families) * pixels)}};
}

}  // namespace

Look look_of(Family family, const Layers& layers) {
  if (family != Family::halo) return static_cast<Look>(family);
  bool visible = false;
  for (const Family other : {Family::gas, Family::disc, Family::bulge, Family::star}) {
    visible |= layers.shown[static_cast<std::size_t>(other)];
  }
  return visible ? Look::halo : Look::lone_halo;
}

Layers layers_of(const Particles& particles, const Options& options, const Camera& camera, bool with_stars) {
  validate(options);
  Layers layers;
  for (const Family family : particles.family) layers.shown[static_cast<std::size_t>(family)] |= shows(options, family);
  memory::demand_beside(particles, picture_need(layers, options), "a smaller --width and --height");
  layers.stars = {options.width, options.height, {}};
  if (with_stars) layers.stars.value.resize(static_cast<std::size_t>(options.width) * options.height);
  for (int f = 0; f < family_count; ++f) {
    if (layers.shown[f]) add_family(layers, particles, static_cast<Family>(f), options, camera, with_stars);
  }
  return layers;
}

}  // namespace hornbeam::render
