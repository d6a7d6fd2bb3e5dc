// SPDX-License-Identifier: Apache-2.0
// The arrays of cells, see cells.h. Compiled once a precision (HB_PRECISION).
#include "tree/cells.h"

HB_OPEN

#define HB_ON_DEVICE(type, field) field = DeviceArray<type>(device);
Cells::Cells(Device& device){HB_CELL_FIELDS(HB_ON_DEVICE)}
#undef HB_ON_DEVICE

CellArrays Cells::arrays() const {
#define HB_ARGUMENT(type, field) .field = field,
  return {HB_CELL_FIELDS(HB_ARGUMENT)};
#undef HB_ARGUMENT
}

std::uint64_t Cells::bytes() const {
#define HB_BYTES(type, field) +field.bytes()
  return std::uint64_t{0} HB_CELL_FIELDS(HB_BYTES);
#undef HB_BYTES
}

void Cells::release() {
#define HB_RELEASE(type, field) field.release();
  HB_CELL_FIELDS(HB_RELEASE)
#undef HB_RELEASE
}

HB_CLOSE
