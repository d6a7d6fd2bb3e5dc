// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of text tables in each order of columns: any bytes give particles or an Error, nothing else.
#include "hornbeam/error.h"
#include "io/tables/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const auto columns : {hornbeam::Columns::header, hornbeam::Columns::galactics, hornbeam::Columns::agama}) {
    try {
      hornbeam::io::parse_csv(bytes, columns, "fuzz").particles.validate("fuzz");
    } catch (const hornbeam::Error&) {
      continue;
    }
  }
  return 0;
}
