// SPDX-License-Identifier: Apache-2.0
// What a picture says about itself: a scale bar and the time.
#pragma once

#include "hornbeam/render.h"

namespace hornbeam::render {

/// Draws both into the picture, in m to Mpc and s to Gyr where the snapshot's units are physical.
void draw_labels(Image& image, const Snapshot& snapshot, const Camera& camera);

/// Darkens the places of time and scale bar, so that they can be read on crowds and colours.
void shade_labels(Image& image);

/// Pixels of a capital letter.
double label_height(const Image& image);

/// The largest of 1, 2, 5 times a power of ten that is at most x.
double round_length(double x);

}  // namespace hornbeam::render
