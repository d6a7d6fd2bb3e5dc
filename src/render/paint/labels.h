// SPDX-License-Identifier: Apache-2.0
// What a picture says about itself: a scale bar and the time.
#pragma once

#include <array>

#include "hornbeam/render.h"

namespace hornbeam::render {

/// What lengths and times are reported in, the largest first.
struct LabelUnit {
  const char* name;
  double cgs;
};
inline constexpr double parsec_cm = 3.0856775814913673e18;  // IAU 2012 resolution B2
inline constexpr double year_s = 3.15576e7;                 // Julian
inline constexpr double au_cm = 1.495978707e13;             // the same resolution
inline constexpr std::array<LabelUnit, 6> label_lengths{
    {{"Mpc", 1e6 * parsec_cm}, {"kpc", 1e3 * parsec_cm}, {"pc", parsec_cm}, {"AU", au_cm}, {"km", 1e5}, {"m", 1e2}}};
inline constexpr std::array<LabelUnit, 6> label_times{
    {{"Gyr", 1e9 * year_s}, {"Myr", 1e6 * year_s}, {"yr", year_s}, {"d", 86400.0}, {"h", 3600.0}, {"s", 1.0}}};

/// Draws both into the picture, in m to Mpc and s to Gyr where the snapshot's units are physical.
void draw_labels(Image& image, const Snapshot& snapshot, const Camera& camera);

/// Darkens the places of time and scale bar, so that they can be read on crowds and colours.
void shade_labels(Image& image);

/// Pixels of a capital letter.
double label_height(const Image& image);

/// The largest of 1, 2, 5 times a power of ten that is at most x.
double round_length(double x);

}  // namespace hornbeam::render
