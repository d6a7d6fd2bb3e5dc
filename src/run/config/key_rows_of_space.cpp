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

/// Images along one axis, which are not written where they are not given.
template <class Access>
Key images(const char* key_name, const char* help, Access at) {
  Key key = otherwise(periodic(key_name, help, {0, 16}, at), "all images in a periodic box, 0 in a shearing sheet");
  key.optional = true;
  key.get = [at](const RunConfig& c) { return at(c) < 0 ? Json() : Json(at(c)); };
  return key;
}

template <class Access>
Key of_sheets(const char* key, const char* help, Range range, Access at) {
  return only(row("boundary", key, help, range, at), "kind", {name(BoundaryKind::shear)});
}

std::vector<Key> boundary_rows() {
  return {among(row(
                    "boundary", "kind",
                    "what happens at the box's edges: open removes particles, periodic returns them, shear also orbits",
                    any_number, [](auto& c) -> auto& { return c.simulation.boundary.kind; }),
                words_to(BoundaryKind::shear)),
          needed_with(
              row(
                  "boundary", "size", "edge lengths x, y, z of the box about the origin; 0: no edge along this axis",
                  any_number, [](auto& c) -> auto& { return c.simulation.boundary.size; }),
              "kind", {name(BoundaryKind::periodic), name(BoundaryKind::shear)}),
          images(
              "n_ghost_x", "number of images of the box that attract, on either side along x: a finite sum",
              [](auto& c) -> auto& { return c.simulation.boundary.n_ghost[0]; }),
          images(
              "n_ghost_y", "number of images of the box that attract, on either side along y: a finite sum",
              [](auto& c) -> auto& { return c.simulation.boundary.n_ghost[1]; }),
          images(
              "n_ghost_z", "number of images of the box that attract, on either side along z: a finite sum",
              [](auto& c) -> auto& { return c.simulation.boundary.n_ghost[2]; }),
          required(of_sheets(
              "omega", "angular frequency of the patch's orbit", above_0,
              [](auto& c) -> auto& { return c.simulation.boundary.omega; })),
          of_sheets(
              "omega_z", "angular frequency of the motion through the plane; 0: omega", from_0,
              [](auto& c) -> auto& { return c.simulation.boundary.omega_z; }),
          row(
              "boundary", "self_gravity", "whether particles attract one another", any_number,
              [](auto& c) -> auto& { return c.simulation.self_gravity; })};
}

template <class Access>
Key collision(const char* key, const char* help, Range range, std::vector<std::string_view> laws, Access at) {
  return only(row("collisions", key, help, range, at), "law", std::move(laws));
}

std::vector<Key> collision_rows() {
  const std::vector<std::string_view> bouncing = {"constant", "power", "bridges", "table"};
  return {
      among(row(
                "collisions", "law", "law of the speed at which bodies separate, or merge or halt (docs/collisions.md)",
                any_number, [](auto& c) -> auto& { return c.simulation.collisions.law; }),
            words_to(CollisionLaw::halt)),
      among(collision(
                "detection",
                "how collisions are found: overlap at the end of a step, or swept within it, for fast bodies",
                any_number, {"constant", "power", "bridges", "table", "merge", "halt"},
                [](auto& c) -> auto& { return c.simulation.collisions.detection; }),
            words_to(Detection::swept)),
      collision(
          "restitution", "coefficient of restitution, normal speed after over before: 1 is elastic", {0, 1},
          {"constant"}, [](auto& c) -> auto& { return c.simulation.collisions.restitution; }),
      collision(
          "scale", "factor of the coefficient scale (v / speed)^exponent, which is at most 1", above_0,
          {"power", "bridges"}, [](auto& c) -> auto& { return c.simulation.collisions.scale; }),
      required(collision(
          "speed", "reference speed of scale (v / speed)^exponent", above_0, {"power"},
          [](auto& c) -> auto& { return c.simulation.collisions.speed; })),
      collision(
          "exponent", "exponent of scale (v / speed)^exponent", any_number, {"power"},
          [](auto& c) -> auto& { return c.simulation.collisions.exponent; }),
      required(collision(
          "speeds", "speeds of the table, ascending", any_number, {"table"},
          [](auto& c) -> auto& { return c.simulation.collisions.speeds; })),
      required(collision(
          "coefficients", "coefficients of restitution of the table, one for each of speeds", any_number, {"table"},
          [](auto& c) -> auto& { return c.simulation.collisions.coefficients; })),
      collision(
          "tangential_restitution", "tangential speed after over before: 1 is smooth, -1 reverses it", {-1, 1},
          bouncing, [](auto& c) -> auto& { return c.simulation.collisions.tangential_restitution; }),
      otherwise(
          collision(
              "friction", "Coulomb's coefficient of friction, which limits the tangential change: larger rubs more",
              from_0, bouncing, [](auto& c) -> auto& { return c.simulation.collisions.friction; }),
          "no limit"),
      collision(
          "minimum_velocity", "speed at which bodies separate whose centres nearly coincide: larger lessens sinking in",
          from_0, bouncing, [](auto& c) -> auto& { return c.simulation.collisions.minimum_velocity; }),
      otherwise(collision(
                    "record_above", "relative speed above which a bounce is a row of events.csv", from_0, bouncing,
                    [](auto& c) -> auto& { return c.simulation.collisions.record_above; }),
                "no bounce is")};
}

}  // namespace

std::vector<Key> space_rows() {
  std::vector<Key> all = boundary_rows();
  for (Key& key : collision_rows()) all.push_back(std::move(key));
  return all;
}

}  // namespace hornbeam::run
