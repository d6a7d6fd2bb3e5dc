// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of Gadget-2 binary files: any bytes give particles or an Error, nothing else.
#include "hornbeam/error.h"
#include "io/gadget/binary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    hornbeam::io::parse_gadget_binary(bytes, "fuzz").particles.validate("fuzz");
  } catch (const hornbeam::Error&) {
    return 0;
  }
  return 0;
}
