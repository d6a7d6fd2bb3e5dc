// SPDX-License-Identifier: Apache-2.0
// Rows of neighbours on the CPU, sorted after the walk where that has not done so. Compiled once a precision.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/host/threads.h"
#include "interactions/neighbours/rows.h"

HB_OPEN

/// Whether walks by groups, of particles in one image of themselves, leave rows sorted.
inline bool walks_sort_rows(Device& device) { return device.host() != nullptr; }

/// The rows of a window: by distance, ties by index, or by index, ties by distance.
inline void sort_rows_on_host(RowWindow rows, bool by_distance, const u64* offset, u32* index, pos_t* distance2) {
  LoopFailure failure;
#pragma omp parallel
  {
    std::vector<std::pair<pos_t, u32>> row;
    const auto sort_row = [&](i32 i) {
      const u64 begin = offset[i] - offset[rows.begin], end = offset[i + 1] - offset[rows.begin];
      row.clear();
      for (u64 j = begin; j < end; ++j) row.emplace_back(distance2[j], index[j]);
      if (by_distance) {
        std::sort(row.begin(), row.end());
      } else {
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) {
          return a.second < b.second || (a.second == b.second && a.first < b.first);
        });
      }
      for (std::size_t j = 0; j < row.size(); ++j) {
        distance2[begin + j] = row[j].first;
        index[begin + j] = row[j].second;
      }
    };
#pragma omp for schedule(dynamic, 256)
    for (i32 i = rows.begin; i < rows.end; ++i) failure.run([&] { sort_row(i); });
  }
  failure.rethrow();
}

HB_CLOSE
