// SPDX-License-Identifier: Apache-2.0
// Arrays of several devices, or of other processes, are kept without a type.
#pragma once

#include "device/device.h"

namespace hornbeam {

/// An array typed as its device takes it; one that the device exchanges for it goes back into its place.
template <class T>
class Borrowed {
 public:
  Borrowed(Buffer& buffer, Device& device) : buffer_(buffer), array_(device) { array_.swap(buffer_); }
  ~Borrowed() { array_.swap(buffer_); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  DeviceArray<T>& array() { return array_; }

 private:
  Buffer& buffer_;
  DeviceArray<T> array_;
};

}  // namespace hornbeam
