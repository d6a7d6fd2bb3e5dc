// SPDX-License-Identifier: Apache-2.0
// The rows of [boundary] and [collisions].
#include "run/config/key_rows.h"

namespace hornbeam::run {
namespace {

using namespace rows;

template <class Access>
Key periodic(const char* key, const char* help, Range range, Access at) {
  return only(row("boundary", key, help, range, at), "kind", {name(BoundaryKind::periodic), name(BoundaryKind::shear)});
}

template <class Access>
Key of_sheets(const char* key, const char* help, Range range, Access at) {
  return only(row("boundary", key, help, range, at), "kind", {name(BoundaryKind::shear)});
}

std::vector<Key> boundary_rows() {
  return {
      among(row(
                "boundary", "kind", "periodic: what leaves comes back; shear: in a patch that orbits; open: it is gone",
                any_number, [](auto& c) -> auto& { return c.simulation.boundary.kind; }),
            words_to(BoundaryKind::shear)),
      needed_with(row(
                      "boundary", "size", "x, y, z: edges of the box about the origin; 0: an axis without", any_number,
                      [](auto& c) -> auto& { return c.simulation.boundary.size; }),
                  "kind", {name(BoundaryKind::periodic), name(BoundaryKind::shear)}),
      periodic(
          "n_ghost_x", "images of all particles that pull, on either side along x", {0, 16},
          [](auto& c) -> auto& { return c.simulation.boundary.n_ghost[0]; }),
      periodic(
          "n_ghost_y", "the same along y", {0, 16}, [](auto& c) -> auto& { return c.simulation.boundary.n_ghost[1]; }),
      periodic(
          "n_ghost_z", "the same along z", {0, 16}, [](auto& c) -> auto& { return c.simulation.boundary.n_ghost[2]; }),
      required(of_sheets(
          "omega", "frequency of the patch's orbit", above_0,
          [](auto& c) -> auto& { return c.simulation.boundary.omega; })),
      of_sheets(
          "omega_z", "of the motion through the plane; 0: omega", from_0,
          [](auto& c) -> auto& { return c.simulation.boundary.omega_z; }),
      of_sheets(
          "self_gravity", "whether particles pull one another", any_number,
          [](auto& c) -> auto& { return c.simulation.self_gravity; })};
}

template <class Access>
Key collision(const char* key, const char* help, Range range, std::vector<std::string_view> laws, Access at) {
  return only(row("collisions", key, help, range, at), "law", std::move(laws));
}

std::vector<Key> collision_rows() {
  const std::vector<std::string_view> bouncing = {"constant", "power", "bridges", "table"};
  return {among(row(
                    "collisions", "law", "of the speed at which bodies part (docs/collisions.md)", any_number,
                    [](auto& c) -> auto& { return c.simulation.collisions.law; }),
                words_to(CollisionLaw::halt)),
          among(collision(
                    "detection", "touching at the end of a step, or within it, for fast bodies", any_number,
                    {"constant", "power", "bridges", "table", "merge", "halt"},
                    [](auto& c) -> auto& { return c.simulation.collisions.detection; }),
                words_to(Detection::swept)),
          collision(
              "restitution", "speed after over speed before", {0, 1}, {"constant"},
              [](auto& c) -> auto& { return c.simulation.collisions.restitution; }),
          collision(
              "scale", "of scale (v / speed)^exponent, at most 1", above_0, {"power", "bridges"},
              [](auto& c) -> auto& { return c.simulation.collisions.scale; }),
          required(collision(
              "speed", "of that", above_0, {"power"}, [](auto& c) -> auto& { return c.simulation.collisions.speed; })),
          collision(
              "exponent", "of that", any_number, {"power"},
              [](auto& c) -> auto& { return c.simulation.collisions.exponent; }),
          required(collision(
              "speeds", "of a table, ascending", any_number, {"table"},
              [](auto& c) -> auto& { return c.simulation.collisions.speeds; })),
          required(collision(
              "coefficients", "of restitution, beside speeds", any_number, {"table"},
              [](auto& c) -> auto& { return c.simulation.collisions.coefficients; })),
          collision(
              "tangential_restitution", "what is left of slipping: 1 smooth, -1 turned round", {-1, 1}, bouncing,
              [](auto& c) -> auto& { return c.simulation.collisions.tangential_restitution; }),
          otherwise(collision(
                        "friction", "Coulomb's coefficient, which limits that", from_0, bouncing,
                        [](auto& c) -> auto& { return c.simulation.collisions.friction; }),
                    "no limit"),
          collision(
              "minimum_velocity", "at which bodies part whose centres nearly touch", from_0, bouncing,
              [](auto& c) -> auto& { return c.simulation.collisions.minimum_velocity; })};
}

}  // namespace

std::vector<Key> space_rows() {
  std::vector<Key> all = boundary_rows();
  for (Key& key : collision_rows()) all.push_back(std::move(key));
  return all;
}

}  // namespace hornbeam::run
