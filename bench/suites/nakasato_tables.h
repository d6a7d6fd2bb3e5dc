// SPDX-License-Identifier: Apache-2.0
// Figures of Nakasato (2012, "Implementation of a Parallel Tree Method on a GPU"), as printed: Radeon HD 5870 with a
// host of two Xeon E5520. K is 1024 (caption of Table 6). Seconds of T_total hold the tree, made on the host.
#pragma once

#include <array>
#include <cstddef>

namespace hornbeam::cli::nakasato {

inline constexpr std::size_t K = 1024;

/// Tables 2 to 4, theta = 0.6: uniform sphere as drawn and in Morton order; hit rates of the cache in per cent.
struct OrderRow {
  std::size_t n;
  double unsorted_total, unsorted_construction, morton_total, morton_construction;
  double unsorted_hits, morton_hits;
};
inline constexpr std::array<OrderRow, 5> tables_2_to_4{{
    // 1.1e-3 is in the paper; 1.1e-2 would be the 28 % of the total that its text speaks of
    {50 * K, 3.95e-2, 1.1e-3, 3.00e-2, 9.1e-3, 75, 93},
    {100 * K, 9.65e-2, 2.5e-2, 6.08e-2, 1.8e-2, 63, 91},
    {200 * K, 2.34e-1, 6.1e-2, 1.27e-1, 3.9e-2, 55, 87},
    {400 * K, 5.83e-1, 1.5e-1, 2.65e-1, 8.0e-2, 48, 85},
    {800 * K, 1.36e0, 3.8e-1, 5.66e-1, 1.6e-1, 43, 80},
}};

/// Table 5: N = 800K, Morton order.
struct ThetaRow {
  double theta, total, hits;
};
inline constexpr std::size_t table_5_n = 800 * K;
inline constexpr std::array<ThetaRow, 9> table_5{{{0.2, 1.65e1, 23},
                                                  {0.3, 5.24e0, 36},
                                                  {0.4, 2.24e0, 48},
                                                  {0.5, 1.14e0, 59},
                                                  {0.6, 6.82e-1, 68},
                                                  {0.7, 4.92e-1, 75},
                                                  {0.8, 3.98e-1, 80},
                                                  {0.9, 3.43e-1, 80},
                                                  {1.0, 3.10e-1, 82}}};

/// Section 3 and Fig. 2: brute force, 38 operations counted an interaction.
inline constexpr double operations_per_pair = 38;
inline constexpr std::size_t brute_force_n = 195584;
inline constexpr double brute_force_seconds = 0.5;   // "roughly"
inline constexpr double brute_force_flops = 2.6e12;  // the most, from N = 150,000 on
inline constexpr double crossing_n = 30000;          // section 5: the tree (Morton, 0.6) is faster above

/// Section 6.3: random particles in a cube, theta = 0.6, next to the fast multipole method of Gumerov & Duraiswami
/// (2008; p = 4) with a mean relative error of the potential of about 2e-4.
inline constexpr std::size_t cube_n = 1048576;
inline constexpr double cube_total = 0.65, cube_hits = 81, fmm_total = 0.68, fmm_potential_error = 2e-4;

/// Tables 6 and 7: mean relative error of acceleration and potential of a galaxy (disc, bulge, halo), all particles.
inline constexpr std::array<std::size_t, 5> galaxy_n{10 * K, 50 * K, 100 * K, 200 * K, 500 * K};
struct GalaxyRow {
  double theta;
  std::array<double, 5> acceleration, potential;  ///< for each of galaxy_n
};
inline constexpr std::array<GalaxyRow, 9> tables_6_and_7{{
    {0.2, {2.93e-4, 1.69e-4, 1.48e-4, 2.24e-4, 5.73e-3}, {4.46e-5, 4.39e-5, 5.37e-5, 5.52e-5, 4.64e-5}},
    {0.3, {6.37e-4, 4.42e-4, 3.98e-4, 4.52e-4, 5.90e-3}, {9.87e-5, 1.07e-4, 1.41e-4, 1.42e-4, 1.02e-4}},
    {0.4, {1.23e-3, 8.86e-4, 8.16e-4, 8.27e-4, 6.20e-3}, {1.84e-4, 1.90e-4, 2.70e-4, 2.66e-4, 1.80e-4}},
    {0.5, {2.04e-3, 1.50e-3, 1.41e-3, 1.36e-3, 6.64e-3}, {2.98e-4, 2.96e-4, 4.30e-4, 4.23e-4, 2.88e-4}},
    {0.6, {3.15e-3, 2.31e-3, 2.20e-3, 2.06e-3, 7.20e-3}, {4.42e-4, 4.34e-4, 6.23e-4, 6.10e-4, 4.28e-4}},
    {0.7, {4.39e-3, 3.35e-3, 3.18e-3, 2.94e-3, 7.91e-3}, {6.05e-4, 5.82e-4, 8.26e-4, 8.12e-4, 5.79e-4}},
    {0.8, {5.94e-3, 4.51e-3, 4.33e-3, 3.98e-3, 8.77e-3}, {7.71e-4, 7.29e-4, 1.04e-3, 1.02e-3, 7.29e-4}},
    {0.9, {7.85e-3, 5.95e-3, 5.69e-3, 5.22e-3, 9.86e-3}, {9.57e-4, 8.99e-4, 1.27e-3, 1.24e-3, 8.99e-4}},
    {1.0, {9.95e-3, 7.69e-3, 7.34e-3, 6.81e-3, 1.13e-2}, {1.15e-3, 1.09e-3, 1.51e-3, 1.47e-3, 1.10e-3}},
}};

}  // namespace hornbeam::cli::nakasato
