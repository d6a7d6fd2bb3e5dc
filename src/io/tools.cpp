// SPDX-License-Identifier: Apache-2.0
// Boxes and lines for yt and pynbody, see tools.h.
#include "io/tools.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace hornbeam::io {

double cube_for_tools(const Snapshot& snapshot) {
  if (snapshot.box_size > 0) return snapshot.box_size;
  double farthest = 0;
  for (const Vec3& x : snapshot.particles.position) {
    for (const double component : x) farthest = std::max(farthest, std::abs(component));
  }
  if (farthest == 0) return 1;
  constexpr int largest = 1020, least = -1000;  // what doubles hold with room for the sums that tools make
  return std::ldexp(1.0, std::clamp(std::ilogb(farthest) + 3, least, largest));
}

std::string pynbody_load_line(const std::filesystem::path& path, const Units& units) {
  if (units.physical) return "pynbody.load(\"" + path.string() + "\")";
  const Units galactic = Units::galactic();
  std::ostringstream line;
  line.precision(10);
  line << "s = pynbody.load(\"" << path.string() << "\"); s.set_units_system(distance=\"kpc\", velocity=\"km s**-1\", "
       << "mass=\"" << 1e10 / galactic.G << " Msol\")";
  return line.str();
}

}  // namespace hornbeam::io
