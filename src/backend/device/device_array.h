// SPDX-License-Identifier: Apache-2.0
// Device memory that knows what it holds.
#pragma once

#include "backend/device/device.h"

namespace hornbeam {

/// Device memory that holds values of one type.
template <class T>
class DeviceArray : public Buffer {
 public:
  using Buffer::Buffer;
};

}  // namespace hornbeam
