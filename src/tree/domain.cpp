// SPDX-License-Identifier: Apache-2.0
// The domain of a precision.
#include "tree/domain.h"

#include <string>

#include "device/device.h"
#include "device/precisions.h"
#include "hornbeam/error.h"

namespace hornbeam {

HB_EACH_PRECISION(std::unique_ptr<Domain> make_particle_domain(Device& device))

std::unique_ptr<Domain> make_domain(Device& device, Precision precision) {
  if (!device.has(precision)) {
    throw UsageError("precision = " + std::string(name(precision)),
                     "needs double precision, which " + device.description() + " lacks", "use precision single");
  }
  return HB_CALL_IN(precision, make_particle_domain, device);
}

}  // namespace hornbeam
