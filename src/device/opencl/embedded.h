// SPDX-License-Identifier: Apache-2.0
// The kernels' sources as tools/embed_kernels.cpp put them into the program: each with all that it includes.
#pragma once

#include <string>

namespace hornbeam {

std::string pipeline_kernels();  ///< kernels/all.h
std::string sort_kernels();      ///< device/opencl/sort.cl, with scan.cl

}  // namespace hornbeam
