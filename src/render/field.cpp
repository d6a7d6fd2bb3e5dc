// SPDX-License-Identifier: Apache-2.0
// Colours of a quantity of the gas, see field.h.
#include "render/field.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "hornbeam/error.h"
#include "render/camera.h"
#include "render/paint/colour_map.h"
#include "render/paint/labels.h"
#include "render/paint/legend.h"

namespace hornbeam::render {
namespace {

bool has_sign(GasQuantity quantity) {
  return quantity == GasQuantity::vx || quantity == GasQuantity::vy || quantity == GasQuantity::vz;
}

/// How bright pixels are where colours are shaded: as surface density of a family is, the densest full.
std::vector<double> shades(const Snapshot& snapshot, Options options, const Camera& camera) {
  options.field->quantity = GasQuantity::density;
  options.field->slice.reset();
  std::vector<double> shade = field_map(snapshot, options, camera).value;
  const double most = shade.empty() ? 0 : *std::max_element(shade.begin(), shade.end());
  for (double& x : shade) x = most > 0 ? stretched(x / most, options) : 0;
  return shade;
}

/// Least and largest of the numbers that colours can show; the same twice where there are none.
std::array<double, 2> extremes(const FieldMap& map, bool logarithmic) {
  std::array<double, 2> found{1, 1};
  bool any = false;
  for (const double x : map.value) {
    if (!std::isfinite(x) || (logarithmic && !(x > 0))) continue;
    found = any ? std::array{std::min(found[0], x), std::max(found[1], x)} : std::array{x, x};
    any = true;
  }
  return found;
}

}  // namespace

bool is_logarithmic(const Field& field) {
  if (field.scale != Scale::by_quantity) return field.scale == Scale::logarithmic;
  return field.quantity != GasQuantity::speed && !has_sign(field.quantity);
}

ColourMap colours_of(const Field& field) {
  return field.colours.value_or(has_sign(field.quantity) ? ColourMap::coolwarm : ColourMap::inferno);
}

double part_of_range(double value, const std::array<double, 2>& range, bool logarithmic) {
  if (!logarithmic) return (value - range[0]) / (range[1] - range[0]);
  return value > 0 ? std::log(value / range[0]) / std::log(range[1] / range[0]) : 0.0;
}

void validate_field(const Options& options) {
  const Field& field = *options.field;
  const auto refuse = [](const char* subject, const char* what, const char* remedy) {
    throw UsageError(subject, what, remedy);
  };
  for (const std::optional<double>& x : {field.slice, field.low, field.high}) {
    if (x && !std::isfinite(*x)) refuse("field", "has a non-finite limit or slice", "give a finite number");
  }
  const bool logarithmic = is_logarithmic(field);
  if (logarithmic && has_sign(field.quantity))
    refuse("scale", "is logarithmic, and velocities may be negative", "use linear");
  if (logarithmic && ((field.low && !(*field.low > 0)) || (field.high && !(*field.high > 0)))) {
    refuse("vmin and vmax", "must be above 0 on a logarithmic scale", "or use linear");
  }
  if (field.low && field.high && !(*field.low < *field.high)) refuse("vmin", "must be below vmax", "exchange them");
  if (field.slice && options.from.tilt != 0) refuse("tilt", "a slice is viewed along its axis", "leave it out");
  if (!shows(options, Family::gas))
    refuse("field", "needs gas, and the families leave it out", "add gas to the families, or leave them out");
  if (options.style == Style::spheres) refuse("spheres", "cannot be combined with a field", "leave one of them out");
  const GasModel& gas = options.gas;
  if (!(gas.gamma > 1)) refuse("gas.gamma", "must be above 1 for temperature and pressure", "draw internal-energy");
  if (gas.mean_molecular_weight && !(*gas.mean_molecular_weight > 0))
    refuse("mean molecular weight", "must be above 0", "0.6 for ionised gas");
}

std::array<double, 2> field_range(const FieldMap& map, const Options& options) {
  const Field& field = *options.field;
  const bool logarithmic = is_logarithmic(field);
  auto [low, high] = extremes(map, logarithmic);
  if (has_sign(field.quantity)) high = std::max(high, -low), low = -high;  // white is rest
  high = field.high.value_or(high);
  if (logarithmic) low = std::max(low, high * std::pow(10.0, -options.decades));
  low = field.low.value_or(low);
  const double wide = 1e-6 * std::max(std::abs(low), std::abs(high));
  if (high - low <= wide) {  // one number everywhere: in the middle of a bar
    if (!field.high) high = logarithmic ? low * std::sqrt(10.0) : low + std::max(0.5 * std::abs(low), 0.5);
    if (!field.low) low = logarithmic ? high / 10.0 : high - std::max(std::abs(high), 1.0) * (2.0 / 3.0);
  }
  if (low < high) return {low, high};
  std::ostringstream said;
  said << "the picture's values end at " << (field.low ? high : low);
  throw UsageError(field.low ? "vmin" : "vmax", said.str(), "give a limit within their range, or leave it out");
}

Options settled(Options options, const Snapshot& snapshot) {
  const auto& family = snapshot.particles.family;
  const bool gas_alone = std::all_of(family.begin(), family.end(), [](Family f) { return f == Family::gas; });
  const bool plain = !options.field && options.style == Style::by_file && options.families.empty();
  const auto& H = snapshot.particles.smoothing_length;
  const bool kernels = std::any_of(H.begin(), H.end(), [](double h) { return h > 0; });
  if (plain && gas_alone && kernels && !as_spheres(snapshot, options)) options.field.emplace();
  return options;
}

Image draw_field(const Snapshot& snapshot, const Options& options, const Camera& camera) {
  const Field& field = *options.field;
  const FieldMap map = field_map(snapshot, options, camera);
  const std::array<double, 2> range = field_range(map, options);
  const bool logarithmic = is_logarithmic(field);
  const std::vector<double> shade = field.shaded ? shades(snapshot, options, camera) : std::vector<double>{};
  Image image{options.width, options.height, {}};
  image.rgb.resize(map.value.size() * 3);
  for (std::size_t k = 0; k < map.value.size(); ++k) {
    if (!std::isfinite(map.value[k])) continue;  // black: no gas
    const auto rgb = colour_of(colours_of(field), part_of_range(map.value[k], range, logarithmic));
    const double dim = shade.empty() ? 1 : shade[k];
    for (std::size_t c = 0; c < 3; ++c) {
      image.rgb[3 * k + c] = static_cast<std::uint8_t>(std::lround(255 * std::min(dim, 1.0) * rgb[c]));
    }
  }
  if (options.labels) {
    shade_labels(image);
    draw_labels(image, snapshot, camera);
    draw_colour_bar(image, map, field, range);
  }
  return image;
}

}  // namespace hornbeam::render
