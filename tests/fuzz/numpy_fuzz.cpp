// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of NumPy's arrays and archives: any bytes give particles or an Error, nothing else.
#include "hornbeam/error.h"
#include "io/arrays/numpy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const auto lacking : {hornbeam::io::Lacking::refused, hornbeam::io::Lacking::assumed}) {
    try {
      hornbeam::io::parse_numpy(bytes, "fuzz", lacking).particles.validate("fuzz");
    } catch (const hornbeam::Error&) {
      continue;
    }
  }
  return 0;
}
