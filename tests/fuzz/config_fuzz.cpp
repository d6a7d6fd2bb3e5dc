// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of `hornbeam run` configurations: any text gives a configuration or an Error, nothing else.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hornbeam/error.h"
#include "run/config/config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    hornbeam::run::parse_config(text, {}, "fuzz");
  } catch (const hornbeam::Error&) {
    return 0;
  }
  return 0;
}
