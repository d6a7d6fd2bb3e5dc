// SPDX-License-Identifier: Apache-2.0
// The one list of what a checkpoint holds: for writing and reading it (checkpoint.cpp) and for handing it from one
// process to another (read_apart.cpp).
#pragma once

#include "core/fields.h"
#include "io/checkpoint.h"

namespace hornbeam::io {

/// Visits every number and array of a checkpoint in one order; a snapshot is a checkpoint of which some stay empty.
template <class CheckpointRef, class Visitor>
void visit(CheckpointRef& c, Visitor& visitor) {
  auto& s = c.snapshot;
  visitor.number("step", c.step);
  visitor.number("dt", c.dt);
  visitor.number("initial_energy", c.initial_energy);
  visitor.number("time", s.time);
  visitor.number("box_size", s.box_size);
  visitor.number("length_cm", s.units.length_cm);
  visitor.number("mass_g", s.units.mass_g);
  visitor.number("velocity_cm_per_s", s.units.velocity_cm_per_s);
  visitor.number("G", s.units.G);
  visitor.flag("physical", s.units.physical);
  for_each_array(s.particles, [&](auto& array, const FieldRow& row) { visitor.field(row, array); });
  visitor.array("configuration", c.configuration);
}

}  // namespace hornbeam::io
