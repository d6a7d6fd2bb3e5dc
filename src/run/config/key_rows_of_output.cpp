// SPDX-License-Identifier: Apache-2.0
// The rows of [output].
#include <algorithm>

#include "hornbeam/io.h"
#include "run/config/key_rows.h"
#include "run/records/groups_beside.h"

namespace hornbeam::run {
namespace {

using namespace rows;

void check_formats(const Value& value, const std::string& subject) {
  const auto& formats = std::get<std::vector<std::string>>(value);
  for (auto format = formats.begin(); format != formats.end(); ++format) {
    format_named(*format, subject);
    if (std::find(formats.begin(), format, *format) == format) continue;
    throw UsageError(subject, "names " + *format + " twice", "name each format once");
  }
}

void check_directory(const Value& value, const std::string& subject) {
  const std::string& name = std::get<std::string>(value);
  if (name.empty()) throw UsageError(subject, "is empty", "give the name of a folder");
  if (name == "~" || name.starts_with("~/")) {
    throw UsageError(subject, "received " + name, "only a shell knows ~: write the whole path");
  }
}

template <class Access>
Key interval(const char* name, const char* help, const char* if_absent, Access at) {
  return otherwise(row("output", name, help, above_0, at), if_absent);
}

void check_types(const Value& value, const std::string& subject) {
  for (const std::string& name : std::get<std::vector<std::string>>(value)) family_of(name, subject);
}

std::vector<Key> group_rows() {
  return {
      otherwise(row(
                    "output", "groups_every",
                    "number of snapshots from one catalogue of groups to the next; 1: one for each (docs/groups.md)",
                    {1, 1e9}, [](auto& c) -> auto& { return c.output.groups_every; }),
                "no catalogues"),
      row(
          "output", "groups_linking_length", "largest separation of linked particles: larger makes larger groups",
          above_0, [](auto& c) -> auto& { return c.output.groups.linking_length; }),
      otherwise(row(
                    "output", "groups_linking_fraction",
                    "linking length in mean separations of the particles: larger makes larger groups", above_0,
                    [](auto& c) -> auto& { return c.output.groups.linking_fraction; }),
                "0.2 if no length is given"),
      row(
          "output", "groups_linking_density",
          "density of two linked particles, which sets the linking length: larger makes smaller groups", above_0,
          [](auto& c) -> auto& { return c.output.groups.linking_density; }),
      row(
          "output", "groups_min_members", "smallest number of members of a group", {1, 1e9},
          [](auto& c) -> auto& { return c.output.groups.min_members; }),
      row(
          "output", "groups_unbind", "whether members that are not bound are removed", any_number,
          [](auto& c) -> auto& { return c.output.groups.unbind; }),
      checked(takes(row(
                        "output", "groups_types", "families whose particles form groups; none: all", any_number,
                        [](auto& c) -> auto& { return c.output.groups_types; }),
                    "FAMILY"),
              check_types),
      checked(takes(row(
                        "output", "groups_primary_types",
                        "families that are linked; others join their nearest linked particle; none: all", any_number,
                        [](auto& c) -> auto& { return c.output.groups_primary_types; }),
                    "FAMILY"),
              check_types),
  };
}

std::vector<Key> snapshot_rows() {
  constexpr const char* with_snapshots = "with each snapshot";
  return {
      checked(takes(row(
                        "output", "directory", "folder for the results", any_number,
                        [](auto& c) -> auto& { return c.output.directory; }),
                    "PATH"),
              check_directory),
      interval(
          "every", "time between snapshots", "only at the start and the end",
          [](auto& c) -> auto& { return c.output.every; }),
      row(
          "output", "times", "times of further snapshots", any_number, [](auto& c) -> auto& { return c.output.times; }),
      interval(
          "energy_every", "time between rows of energy.csv", with_snapshots,
          [](auto& c) -> auto& { return c.output.energy_every; }),
      interval(
          "black_holes_every", "time between rows of black_holes.csv", "no such file",
          [](auto& c) -> auto& { return c.output.black_holes_every; }),
      interval(
          "ring_every", "time between rows of ring.csv (docs/collisions.md)", "no such file",
          [](auto& c) -> auto& { return c.output.ring_every; }),
      interval(
          "checkpoint_every", "time between checkpoints", with_snapshots,
          [](auto& c) -> auto& { return c.output.checkpoint_every; }),
      interval(
          "wall_every", "wall-clock seconds between checkpoints, each with latest.hdf5", "no such checkpoints",
          [](auto& c) -> auto& { return c.output.wall_every; }),
      interval(
          "wall_limit", "wall-clock seconds after which the run stops; it can be resumed", "no limit",
          [](auto& c) -> auto& { return c.output.wall_limit; }),
      checked(takes(row(
                        "output", "formats", "file formats of the snapshots (docs/formats.md)", any_number,
                        [](auto& c) -> auto& { return c.output.formats; }),
                    "FORMAT"),
              check_formats),
      row(
          "output", "snapshots", "whether snapshots are written; false: only rows of energy.csv at their times",
          any_number, [](auto& c) -> auto& { return c.output.snapshots; }),
      row(
          "output", "time_steps", "whether HDF5 snapshots hold the length of each particle's step", any_number,
          [](auto& c) -> auto& { return c.simulation.time_steps; }),
      row(
          "output", "checkpoints", "whether checkpoints are written; false: the run cannot be resumed", any_number,
          [](auto& c) -> auto& { return c.output.checkpoints; }),
  };
}

}  // namespace

std::vector<Key> output_rows() {
  std::vector<Key> all = snapshot_rows();
  for (Key& key : group_rows()) all.push_back(std::move(key));
  return all;
}

}  // namespace hornbeam::run
