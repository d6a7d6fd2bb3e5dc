// SPDX-License-Identifier: Apache-2.0
// Fuzzes the Tipsy reader: any bytes give particles or an Error, nothing else.
#include "hornbeam/error.h"
#include "io/tipsy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    hornbeam::io::parse_tipsy(bytes, "fuzz").particles.validate("fuzz");
  } catch (const hornbeam::Error&) {
    return 0;
  }
  return 0;
}
