// SPDX-License-Identifier: Apache-2.0
// Sort and scan on an OpenCL device (sort.cl, scan.cl): how the host strings their passes together.
#pragma once

#include <vector>

#include "device/opencl/opencl_program.h"

namespace hornbeam {

class OpenClSorter {
 public:
  /// device: whose memory the scratch rooms are; it outlives this.
  OpenClSorter(Device& device, OpenClContext& context, OpenClProgram& program);

  /// As Device::sort_pairs(), by no other bits, and Device::exclusive_scan().
  void sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                  DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                  int begin, int end);
  void exclusive_scan(const DeviceArray<std::uint32_t>& values, std::int64_t n);

 private:
  void scan(const DeviceArray<std::uint32_t>& values, std::int64_t first, std::int64_t n, std::int64_t first_total);
  /// what: of namespace sort_kernels.
  template <class Launch>
  void launch(const Launch& what, std::int64_t groups);

  OpenClContext& context_;
  OpenClProgram& program_;
  DeviceArray<std::uint32_t> counts_;  ///< of each digit in each tile of a sort
  DeviceArray<std::uint32_t> totals_;  ///< of each tile of a scan, then of each tile of those totals ...
};

}  // namespace hornbeam
