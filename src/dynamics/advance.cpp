// SPDX-License-Identifier: Apache-2.0
// Steps of the clock, see advance.h.
#include "dynamics/advance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "hornbeam/error.h"

namespace hornbeam {

double rounding_between(double a, double b) {
  return 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
}

void demand_advance(double time, double step) {
  if (time + step > time) return;
  std::ostringstream subject, lost;
  subject << "t = " << time;
  lost << "a step of " << step << " is less than the rounding error of the time, which no longer advances";
  throw Error(subject.str(), lost.str(), "start nearer to time 0, take longer steps, or choose other units of time");
}

}  // namespace hornbeam
