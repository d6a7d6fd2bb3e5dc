// SPDX-License-Identifier: Apache-2.0
// Pictures of a quantity of the gas: values of pixels to colours. The numbers are made in field_map.cpp.
#pragma once

#include "hornbeam/render.h"

namespace hornbeam::render {

/// Whether numbers stand logarithmically on the colour bar.
bool is_logarithmic(const Field& field);
ColourMap colours_of(const Field& field);

/// Where a number stands between the ends of the bar.
double part_of_range(double value, const std::array<double, 2>& range, bool logarithmic);

/// Throws UsageError for fields out of range, or next to options that are not theirs.
void validate_field(const Options& options);

Image draw_field(const Snapshot& snapshot, const Options& options, const Camera& camera);

/// Draws the bar with its numbers and "quantity [unit]" into the lower right corner; on pictures that are too small
/// for it, nothing.
void draw_colour_bar(Image& image, const FieldMap& map, const Field& field, const std::array<double, 2>& range);

}  // namespace hornbeam::render
