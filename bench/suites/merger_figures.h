// SPDX-License-Identifier: Apache-2.0
// Bonsai's merger (Bédorf, Gaburov & Portegies Zwart 2012, section 4.2.2, Table 2 and Fig. 10): 240,002 bodies, dt
// 1/64, eps 0.1, T = 1000.
#pragma once

namespace hornbeam::cli::merger {

/// One row of Table 2, what its code would need on an H200 (its rate there, see bonsai_figures.h), and what Hornbeam is
/// requested.
struct MergerRow {
  double theta;
  double energy_error;  ///< the largest |dE|
  double gtx480_seconds, h200_seconds, asked_seconds;
};
inline constexpr MergerRow table_2[] = {{0.75, 2.8e-4, 7102, 84, 65}, {0.5, 1.3e-4, 12687, 151, 110}};

}  // namespace hornbeam::cli::merger
