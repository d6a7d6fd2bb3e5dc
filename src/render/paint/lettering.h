// SPDX-License-Identifier: Apache-2.0
// The few letters and lines that pictures carry, drawn as strokes.
#pragma once

#include <string_view>

#include "hornbeam/render.h"

namespace hornbeam::render {

/// A line with round ends from one place to another; width and places in pixels, opacity in [0, 1].
void draw_stroke(Image& image, double x0, double y0, double x1, double y1, double width, double opacity);

/// Darkens a rectangle, softly towards its edges, so that what is written upon it can be read.
void draw_shade(Image& image, double x0, double y0, double x1, double y1, double softness);

/// `text` with its baseline's left end at (x, y) and capitals `height` pixels high, with a dark rim that keeps it
/// legible on light. Knows the letters and digits of ASCII and . , : + - = / ( ) [ ]; others leave a gap. A power such
/// as ^2 or ^-1 is raised.
void draw_text(Image& image, std::string_view text, double x, double y, double height);

/// The width of `text` in pixels.
double text_width(std::string_view text, double height);

}  // namespace hornbeam::render
