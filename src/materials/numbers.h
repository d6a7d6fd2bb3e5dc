// SPDX-License-Identifier: Apache-2.0
// A material's law as plain numbers, from which gas makes it in its own precision (MaterialLaw, physics/material.h).
#pragma once

#include <vector>

#include "hornbeam/materials.h"

namespace hornbeam::materials {

struct LawNumbers {
  int kind = 0, rows = 0, columns = 0;
  double gamma = 0, speed2 = 0, factor = 0, critical = 0;  ///< of its GasLaw
  std::vector<double> tillotson{};                         ///< in the order of HB_TILLOTSON_FIELDS
  std::vector<double> table{};
};

LawNumbers numbers_of(const Material& material);

}  // namespace hornbeam::materials
