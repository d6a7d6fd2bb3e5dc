// SPDX-License-Identifier: Apache-2.0
// One picture: each family's map of surface density, stretched logarithmically, in its colours, and the stars over it,
// added as light.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/bodies/spheres.h"
#include "render/field.h"
#include "render/gas_points.h"
#include "render/paint/labels.h"
#include "render/paint/legend.h"

namespace hornbeam::render {
namespace {

Brightness peaks(const Layers& layers) {
  Brightness brightness{};
  for (int f = 0; f < family_count; ++f) brightness[f] = layers.families[f].peak;
  return brightness;
}

Image compose(const Layers& layers, const Options& options, const Brightness& brightness) {
  Image image{options.width, options.height, {}};
  image.rgb.resize(static_cast<std::size_t>(options.width) * options.height * 3);
#pragma omp parallel for schedule(static) if (layers.stars.value.size() > 10'000)
  for (int y = 0; y < options.height; ++y) {
    for (int x = 0; x < options.width; ++x) {
      Light sum = layers.stars.value[static_cast<std::size_t>(y) * options.width + x];
      for (int f = 0; f < family_count; ++f) {
        const FamilyMap& family = layers.families[f];
        if (family.map.value.empty() || !(brightness[f] > 0.0)) continue;
        const float t = stretched(family.map.at(x, y) * (family.unit / brightness[f]), options);
        const Light light = light_of(look_of(static_cast<Family>(f), layers), t);
        for (int k = 0; k < 3; ++k) sum[k] += light[k];
      }
      const auto rgb = developed(sum, x, y);
      std::copy(rgb.begin(), rgb.end(), image.rgb.begin() + (static_cast<std::ptrdiff_t>(y) * options.width + x) * 3);
    }
  }
  return image;
}

Image draw_layers(const Layers& layers, const Snapshot& snapshot, const Options& options, const Camera& camera,
                  const Brightness& brightness) {
  Image image = compose(layers, options, brightness);
  if (options.labels) {
    draw_labels(image, snapshot, camera);
    draw_legend(image, layers, snapshot, options, camera, brightness);
  }
  return image;
}

}  // namespace

float stretched(double relative_density, const Options& options) {
  const double range = std::pow(10.0, options.decades);
  const double t = std::log1p(range * relative_density) / std::log1p(range);
  return static_cast<float>(std::pow(t, options.gamma));
}

Brightness exposure(const Particles& particles, const Options& options, const Camera& camera) {
  return peaks(layers_of(particles, options, camera, false));
}

Image draw(const Snapshot& snapshot, const Options& options) {
  require_gas_on_plane(snapshot, options);  // of a movie's pictures some may well be empty
  const Camera camera = frame(snapshot, options);
  if (options.field) return draw_field(snapshot, options, camera);
  if (as_spheres(snapshot, options)) return draw_spheres(snapshot, options, camera);
  const Layers layers = layers_of(snapshot.particles, options, camera, true);
  return draw_layers(layers, snapshot, options, camera, peaks(layers));
}

Image draw(const Snapshot& snapshot, const Options& options, const Camera& camera, const Brightness& brightness) {
  if (options.field) return draw_field(snapshot, options, camera);
  if (as_spheres(snapshot, options)) return draw_spheres(snapshot, options, camera);
  const Layers layers = layers_of(snapshot.particles, options, camera, true);
  return draw_layers(layers, snapshot, options, camera, brightness);
}

}  // namespace hornbeam::render
