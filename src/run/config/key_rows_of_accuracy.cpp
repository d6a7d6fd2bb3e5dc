// SPDX-License-Identifier: Apache-2.0
// The rows of [gravity] that say how exact forces are.
#include "interactions/modules.h"
#include "run/config/key_rows.h"

namespace hornbeam::run {
namespace {

using namespace rows;

/// The accuracy of a run whose particles have one softening, as far as its options decide; 0: opening angles do.
double accuracy_of(const RunConfig& config) { return resolved_gravity(config.simulation, false).accuracy; }

/// A key that an accuracy replaces: it is printed without an accuracy, and refused with one.
Key replaced(Key key) {
  key.set = [set = key.set](RunConfig& config, const Value& value, const std::string& subject) {
    set(config, value, subject);
    config.simulation.gravity.names_opening = true;
  };
  key.get = [get = key.get](const RunConfig& c) { return accuracy_of(c) > 0 ? Json() : get(c); };
  return key;
}

}  // namespace

std::vector<Key> accuracy_rows() {
  return {
      otherwise(
          told_as(gravity(
                      "accuracy",
                      "largest rms error of accelerations, relative to their size or a tenth of the usual one: smaller "
                      "is slower; theta, theta_c, mac, order and expansion follow from it and may not be given; 0: "
                      "these five decide (docs/hierarchy.md)",
                      {0, largest_accuracy}, [](auto& c) -> auto& { return c.simulation.gravity.accuracy; }),
                  [](const RunConfig& c) {
                    const double accuracy = accuracy_of(c);
                    return accuracy > 0 ? Json(accuracy) : Json();
                  }),
          "7e-4 in open space and in an infinite lattice; 0 if one of these five is given, with another walk than "
          "group, spline or unequal softenings, or a number of images"),
      replaced(gravity(
          "theta", "opening angle of multipoles at particles: larger is faster and less accurate; 0 opens all cells",
          {0, largest_theta}, [](auto& c) -> auto& { return c.simulation.gravity.theta; })),
      replaced(otherwise(
          told_as(gravity(
                      "theta_c", "opening angle of expansions about groups: larger is faster and less accurate",
                      {0, largest_theta_c}, [](auto& c) -> auto& { return c.simulation.gravity.theta_c; }),
                  [](const RunConfig& c) -> Json { return c.simulation.gravity.effective_theta_c(); }),
          "theta")),
      replaced(among(gravity(
                         "mac", "opening criterion: how the error of a cell is estimated (docs/choose.md)", any_number,
                         [](auto& c) -> auto& { return c.simulation.gravity.mac; }),
                     words_to(Mac::relative))),
      replaced(gravity(
          "order", "order of multipoles at particles, 0 monopole, 2 quadrupole: higher is more accurate", {0, 2},
          [](auto& c) -> auto& { return c.simulation.gravity.order; })),
      replaced(gravity(
          "expansion", "order of expansions about groups: higher is slower and more accurate; 0: none",
          {0, largest_expansion}, [](auto& c) -> auto& { return c.simulation.gravity.expansion; }))};
}

}  // namespace hornbeam::run
