// SPDX-License-Identifier: Apache-2.0
// Figures of Bonsai: Bédorf, Gaburov & Portegies Zwart (2012) as printed, and their code (ported to CUDA 13, its
// density sum removed) and Ryoanji with cornerstone as run on one NVIDIA H200, 1980 MHz, driver 580, CUDA 13.0: Plummer
// sphere, eps 1e-4, errors of 2,048 particles.
#pragma once

#include <array>
#include <cstddef>

namespace hornbeam::cli::bonsai {

/// Section 4.1: the walk at theta = 0.75 and N = 1M, particles a second, and the walk's share of the time.
inline constexpr std::size_t walk_n = std::size_t{1} << 20;
inline constexpr double gtx480_walk_rate = 2.8e6, c2050_walk_rate = 2.1e6;
inline constexpr double walk_share_at_075 = 0.90, walk_share_at_05 = 0.95;  // "more than"

/// On the H200: million particles a second of sort, build, moments and forces, the walk's ms, errors of the
/// acceleration.
struct H200Row {
  const char* model;
  int log2_n;
  double theta, rate, walk_ms, median, p99, ryoanji_rate;
};
inline constexpr std::array<H200Row, 10> h200{{{"plummer", 20, 0.5, 102, 8.45, 1.11e-4, 3.6e-4, 79},
                                               {"plummer", 20, 0.75, 182, 3.89, 5.8e-4, 2.5e-3, 153},
                                               {"plummer", 22, 0.5, 108, 33.99, 1.26e-4, 4.3e-4, 85},
                                               {"plummer", 22, 0.75, 205, 15.69, 6.8e-4, 3.2e-3, 175},
                                               {"plummer", 24, 0.5, 105, 140.7, 1.42e-4, 5.2e-4, 83},
                                               {"plummer", 24, 0.75, 203, 63.5, 7.5e-4, 3.6e-3, 179},
                                               {"plummer", 26, 0.5, 102, 583.6, 1.48e-4, 5.7e-4, 80},
                                               {"plummer", 26, 0.75, 199, 259.3, 7.7e-4, 3.3e-3, 172},
                                               {"uniform-cube", 24, 0.5, 196, 70.0, 1.60e-4, 7.5e-4, 141},
                                               {"uniform-cube", 24, 0.75, 372, 29.3, 9.1e-4, 3.1e-3, 332}}};

/// On the H200: median error against theta, Plummer 2^22.
struct MedianRow {
  double theta, median;
};
inline constexpr int h200_median_log2_n = 22;
inline constexpr std::array<MedianRow, 6> h200_median{
    {{0.3, 1.5e-5}, {0.4, 4.9e-5}, {0.5, 1.26e-4}, {0.6, 2.5e-4}, {0.75, 6.8e-4}, {1.0, 1.9e-3}}};

}  // namespace hornbeam::cli::bonsai
