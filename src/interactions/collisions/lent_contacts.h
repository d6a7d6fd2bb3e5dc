// SPDX-License-Identifier: Apache-2.0
// Spheres that touch or will, in arrays of a caller that lie on a device: what hornbeam/contacts.h finds, without a way
// through the host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "hornbeam/device_arrays.h"
#include "hornbeam/neighbours.h"

namespace hornbeam {

class Device;

struct LentSpheres {
  ArrayOnDevice position;                 ///< (N, 3)
  ArrayOnDevice radius;                   ///< (N)
  std::optional<ArrayOnDevice> velocity;  ///< (N, 3)
  double time = 0;                        ///< with velocities: how far ahead is looked
};

/// In memory of the device that is its caller's from now on, in order.
struct LentContacts {
  std::shared_ptr<void> pairs;    ///< (M, 2) u32
  std::shared_ptr<void> overlap;  ///< (M), double or float
  std::shared_ptr<void> time;     ///< the same
  std::uint64_t count = 0;
};

/// As find_contacts() of hornbeam/contacts.h, with the same words; positions outside of the box are taken into it.
/// wide: of what is found, double, else float.
LentContacts find_contacts(Device& device, const LentSpheres& spheres, const NeighbourOptions& options, bool wide);

/// Throws UsageError for a box (0: none) too small for spheres that reach so far within the time.
void demand_wide_box(double box, double largest);

}  // namespace hornbeam
