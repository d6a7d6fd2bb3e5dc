// SPDX-License-Identifier: Apache-2.0
// The leapfrog in the precision of a domain.
#include "dynamics/leapfrog.h"

#include "device/precisions.h"
#include "tree/domain.h"

namespace hornbeam {

HB_EACH_PRECISION(std::unique_ptr<Leapfrog> make_domain_leapfrog(Domain&))

std::unique_ptr<Leapfrog> make_leapfrog(Domain& domain) {
  return HB_CALL_IN(domain.precision(), make_domain_leapfrog, domain);
}

}  // namespace hornbeam
