// SPDX-License-Identifier: Apache-2.0
// External potentials in the precision of a domain.
#include "interactions/external/external_module.h"

#include "device/precisions.h"

namespace hornbeam {

HB_EACH_PRECISION(std::unique_ptr<External> make_domain_external(Domain&))

std::unique_ptr<External> make_external(Domain& domain) {
  return HB_CALL_IN(domain.precision(), make_domain_external, domain);
}

}  // namespace hornbeam
