// SPDX-License-Identifier: Apache-2.0
// Two bodies in one snapshot, see join.h.
#include "ics/join.h"

#include <algorithm>
#include <limits>

#include "hornbeam/error.h"

namespace hornbeam::ics {

bool same(const Units& a, const Units& b) {
  return a.length_cm == b.length_cm && a.mass_g == b.mass_g && a.velocity_cm_per_s == b.velocity_cm_per_s &&
         a.G == b.G && a.physical == b.physical;
}

std::uint64_t offset_ids(const Particles& first, Particles& second, const std::string& model,
                         const std::string& bodies) {
  const std::uint64_t largest = *std::max_element(first.id.begin(), first.id.end());
  const std::uint64_t largest_second = *std::max_element(second.id.begin(), second.id.end());
  if (largest_second >= std::numeric_limits<std::uint64_t>::max() - largest) {
    throw Error(model, "the ids of the two " + bodies + " cannot be made distinct within 64 bits",
                "give one of them smaller ids");
  }
  for (std::uint64_t& id : second.id) id += largest + 1;
  return largest + 1;
}

void forget_run(Snapshot& body) {
  body.set_boundary({});
  body.time = 0.0;
  body.particles.forget_forces();  // of the body by itself
  body.particles.forget_steps();
}

void add_notes(const Snapshot& body, std::vector<std::string>& notes) {
  for (const std::string& note : body.notes) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
}

}  // namespace hornbeam::ics
