// SPDX-License-Identifier: Apache-2.0
// Sort and scan on an OpenCL device (sort.cl, scan.cl): how the host strings their passes together.
#pragma once

#include <vector>

#include "backend/opencl/opencl_program.h"

namespace hornbeam {

class OpenClSorter {
 public:
  /// device: whose memory the scratch rooms are; it outlives this.
  OpenClSorter(Device& device, OpenClContext& context, OpenClProgram& program);

  /// As Device::sort_pairs(), by no other bits, and Device::exclusive_scan().
  void sort_pairs(Buffer& keys, Buffer& spare_keys, Buffer& values, Buffer& spare_values, std::int64_t n, int begin,
                  int end);
  void exclusive_scan(const Buffer& values, std::int64_t n);

 private:
  void scan(const Buffer& values, std::int64_t first, std::int64_t n, std::int64_t first_total);
  void launch(const char* name, std::int64_t groups, const Arguments& arguments);

  OpenClContext& context_;
  OpenClProgram& program_;
  Buffer counts_;  ///< of each digit in each tile of a sort
  Buffer totals_;  ///< of each tile of a scan, then of each tile of those totals ...
};

}  // namespace hornbeam
