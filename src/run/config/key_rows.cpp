// SPDX-License-Identifier: Apache-2.0
// The rows of the table of options, see keys.h: one for each key, its type that of the value it stands for.
#include "run/config/key_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "run/records/groups_beside.h"

namespace hornbeam::run {
namespace {

using namespace rows;

void add(std::vector<Key>& to, std::vector<Key> more) {
  for (Key& key : more) to.push_back(std::move(key));
}

std::vector<Key> source_rows() {
  return {
      takes(row(
                "input", "file", "snapshot to start from; relative to the configuration", any_number,
                [](auto& c) -> auto& { return c.input_file; }),
            "PATH"),
      row(
          "input", "physical", "of a cosmological file: applies its scale factor and h, so that numbers are physical",
          any_number, [](auto& c) -> auto& { return c.reading.physical; }),
      row(
          "input", "blocks", "of Gadget-2 binary, format 1: its blocks in their order, \"POS VEL ID MASS U\"",
          any_number, [](auto& c) -> auto& { return c.reading.blocks; }),
      takes(required(row(
                "ic", "model", "what to draw; `hornbeam ic MODEL --help` lists its own keys, with _ for -", any_number,
                [](auto& c) -> auto& { return c.ic->model; })),
            "MODEL"),
      otherwise(row(
                    "ic", "n", "number of particles", from_0, [](auto& c) -> auto& { return c.ic->n; }),
                "none; merger: that of its files"),
      row(
          "ic", "seed", "the same seed gives the same bits", from_0, [](auto& c) -> auto& { return c.ic->seed; })};
}

template <class Access>
Key unit(const char* name, const char* help, const char* what, Access at) {
  return takes(row("units", name, help, any_number, at), what);
}

template <class Access>
Key in_cgs(const char* name, const char* help, Access at) {
  return row("units", name, help, above_0, at);
}

std::vector<Key> units_rows() {
  return {
      among(row(
                "units", "system", "all three units by one name; nbody: G = 1", any_number,
                [](auto& c) -> auto& { return c.units_asked.system; }),
            unit_systems()),
      unit(
          "length", "or each by its own: \"kpc\", \"1e3 km\"", "LENGTH",
          [](auto& c) -> auto& { return c.units_asked.length; }),
      unit(
          "mass", "\"Msun\", \"1e10 Msun\", \"kg\"", "MASS", [](auto& c) -> auto& { return c.units_asked.mass; }),
      unit(
          "velocity", "\"km/s\", \"AU/yr\"", "VELOCITY", [](auto& c) -> auto& { return c.units_asked.velocity; }),
      unit(
          "time", "\"Myr\", \"s\": in place of velocity", "TIME", [](auto& c) -> auto& { return c.units_asked.time; }),
      unit(
          "length_cm", "or in cgs", "", [](auto& c) -> auto& { return c.units_asked.length_cm; }),
      unit(
          "mass_g", "the same", "", [](auto& c) -> auto& { return c.units_asked.mass_g; }),
      unit(
          "velocity_cm_per_s", "the same", "", [](auto& c) -> auto& { return c.units_asked.velocity_cm_per_s; }),
      among(row(
                "units", "of_files", "files in other units are refused (same), converted, or their units ignored",
                any_number, [](auto& c) -> auto& { return c.units_asked.of_files; }),
            words_to(FileUnits::ignore))};
}

template <class Access>
Key gravity(const char* name, const char* help, Range range, Access at) {
  Key key = row("gravity", name, help, range, at);
  key.checked_later = true;
  return key;
}

std::vector<Key> gravity_rows() {
  return {
      gravity(
          "theta", "opening angle of multipoles at particles; 0 opens everything", {0, largest_theta},
          [](auto& c) -> auto& { return c.simulation.gravity.theta; }),
      otherwise(told_as(gravity(
                            "theta_c", "opening angle of expansions about groups", {0, largest_theta_c},
                            [](auto& c) -> auto& { return c.simulation.gravity.theta_c; }),
                        [](const RunConfig& c) -> Json { return c.simulation.gravity.effective_theta_c(); }),
                "as theta"),
      among(gravity(
                "mac", "opening criterion", any_number, [](auto& c) -> auto& { return c.simulation.gravity.mac; }),
            words_to(Mac::relative)),
      gravity(
          "order", "multipoles at particles: 0 monopole, 2 quadrupole", {0, 2},
          [](auto& c) -> auto& { return c.simulation.gravity.order; }),
      gravity(
          "expansion", "order of expansions about groups; 0 none", {0, largest_expansion},
          [](auto& c) -> auto& { return c.simulation.gravity.expansion; }),
      otherwise(told_as(gravity(
                            "eps", "softening length of all particles", from_0,
                            [](auto& c) -> auto& { return c.simulation.gravity.eps; }),
                        [](const RunConfig& c) {
                          const double eps = c.simulation.gravity.eps;
                          return eps < 0.0 ? Json() : Json(eps);
                        }),
                "the model's or the file's; else a run estimates one, and force and analyze take 0"),
      gravity(
          "conserve", "whether net force and torque that multipoles leave are taken out", any_number,
          [](auto& c) -> auto& { return c.simulation.gravity.conserve; }),
      among(gravity(
                "softening", "kernel of the softening", any_number,
                [](auto& c) -> auto& { return c.simulation.gravity.softening; }),
            words_to(Softening::spline)),
      among(
          gravity(
              "walk", "how the tree is walked", any_number, [](auto& c) -> auto& { return c.simulation.gravity.walk; }),
          words_to(Walk::direct)),
      among(gravity(
                "curve", "order of particles in memory", any_number,
                [](auto& c) -> auto& { return c.simulation.gravity.curve; }),
            words_to(Curve::none)),
      otherwise(gravity(
                    "leaf_size", "most particles in a leaf", {1, largest_leaf_size},
                    [](auto& c) -> auto& { return c.simulation.gravity.leaf_size; }),
                "chosen by the device"),
      otherwise(gravity(
                    "group_size", "most particles in a group", {1, largest_group_size},
                    [](auto& c) -> auto& { return c.simulation.gravity.group_size; }),
                "chosen by the device"),
  };
}

template <class Access>
Key potential(const char* name, const char* help, Access at) {
  return row("potential", name, help, any_number, at);
}

/// Of the last of several; ranges depend on the kind and are ExternalPotential::validate()'s.
std::vector<Key> potential_rows() {
  return {required(among(
              potential(
                  "kind", "of the potential", [](auto& c) -> auto& { return c.simulation.potentials.back().kind; }),
              words_to(PotentialKind::miyamoto_nagai))),
          only(required(potential(
                   "mass", "total; nfw: within its scale divided by ln 2 - 1/2",
                   [](auto& c) -> auto& { return c.simulation.potentials.back().mass; })),
               "kind", {"point", "plummer", "hernquist", "nfw", "miyamoto-nagai"}),
          only(required(potential(
                   "speed", "circular velocity far out",
                   [](auto& c) -> auto& { return c.simulation.potentials.back().speed; })),
               "kind", {"logarithmic"}),
          needed_with(potential(
                          "scale", "scale length; point: its softening, logarithmic: radius of its core",
                          [](auto& c) -> auto& { return c.simulation.potentials.back().scale; }),
                      "kind", {"plummer", "hernquist", "nfw"}),
          only(potential(
                   "flattening", "axis ratio along z",
                   [](auto& c) -> auto& { return c.simulation.potentials.back().flattening; }),
               "kind", {"logarithmic"}),
          only(potential(
                   "height", "scale height", [](auto& c) -> auto& { return c.simulation.potentials.back().height; }),
               "kind", {"miyamoto-nagai"}),
          potential(
              "centre", "x, y, z at time 0", [](auto& c) -> auto& { return c.simulation.potentials.back().centre; }),
          potential(
              "velocity", "of the centre, on a line",
              [](auto& c) -> auto& { return c.simulation.potentials.back().velocity; })};
}

std::vector<Key> time_rows() {
  const std::vector<std::string_view> own = {name(Steps::block), name(Steps::symmetrised)};
  return {
      required(row(
          "time", "dt", "the shared step, or the longest one", above_0,
          [](auto& c) -> auto& { return c.simulation.dt; })),
      otherwise(row(
                    "time", "start", "what the clock shows at the start", any_number,
                    [](auto& c) -> auto& { return c.start; }),
                "the file's time; 0 for a model"),
      required(row(
          "time", "end", "when the run ends", any_number, [](auto& c) -> auto& { return c.end; })),
      among(row(
                "time", "steps", "one for all, powers of two for each particle, or one that suits all", any_number,
                [](auto& c) -> auto& { return c.simulation.steps; }),
            words_to(Steps::symmetrised)),
      only(row(
               "time", "eta", "a step is at most eta sqrt(eps / |a|)", above_0,
               [](auto& c) -> auto& { return c.simulation.eta; }),
           "steps", own),
      only(row(
               "time", "eta_change", "and at most eta_change |a| / |da/dt|; 0: not used", from_0,
               [](auto& c) -> auto& { return c.simulation.eta_change; }),
           "steps", {own.front()}),
      only(row(
               "time", "max_rung", "the shortest step is dt / 2^max_rung", {0, 30},
               [](auto& c) -> auto& { return c.simulation.max_rung; }),
           "steps", own),
  };
}

void check_formats(const Value& value, const std::string& subject) {
  const auto& formats = std::get<std::vector<std::string>>(value);
  for (auto format = formats.begin(); format != formats.end(); ++format) {
    format_named(*format, subject);
    if (std::find(formats.begin(), format, *format) == format) continue;
    throw UsageError(subject, "names " + *format + " twice", "name each format once");
  }
}

void check_directory(const Value& value, const std::string& subject) {
  if (std::get<std::string>(value).empty()) throw UsageError(subject, "is empty", "name a folder");
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
                    "snapshots from one with a catalogue of groups to the next, 1: all (docs/groups.md)", {1, 1e9},
                    [](auto& c) -> auto& { return c.output.groups_every; }),
                "no catalogues"),
      row(
          "output", "groups_linking_length", "friends are no farther apart", above_0,
          [](auto& c) -> auto& { return c.output.groups.linking_length; }),
      otherwise(row(
                    "output", "groups_linking_fraction", "the same in mean separations", above_0,
                    [](auto& c) -> auto& { return c.output.groups.linking_fraction; }),
                "0.2 where no length is given"),
      row(
          "output", "groups_linking_density", "the same by the density at which two particles are linked", above_0,
          [](auto& c) -> auto& { return c.output.groups.linking_density; }),
      row(
          "output", "groups_min_members", "of a group", {1, 1e9},
          [](auto& c) -> auto& { return c.output.groups.min_members; }),
      row(
          "output", "groups_unbind", "takes out members that are not bound", any_number,
          [](auto& c) -> auto& { return c.output.groups.unbind; }),
      checked(takes(row(
                        "output", "groups_types", "families of which groups are made; none: all", any_number,
                        [](auto& c) -> auto& { return c.output.groups_types; }),
                    "FAMILY"),
              check_types),
      checked(takes(row(
                        "output", "groups_primary_types",
                        "families that are linked; others join the nearest of them; none: all", any_number,
                        [](auto& c) -> auto& { return c.output.groups_primary_types; }),
                    "FAMILY"),
              check_types),
  };
}

std::vector<Key> output_rows() {
  constexpr const char* with_snapshots = "with each snapshot";
  return {
      checked(takes(row(
                        "output", "directory", "folder of the run", any_number,
                        [](auto& c) -> auto& { return c.output.directory; }),
                    "PATH"),
              check_directory),
      interval(
          "every", "time between snapshots", "only at the start and the end",
          [](auto& c) -> auto& { return c.output.every; }),
      row(
          "output", "times", "further snapshots", any_number, [](auto& c) -> auto& { return c.output.times; }),
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
          "wall_every", "seconds of the clock between checkpoints with latest.hdf5", "none by the clock",
          [](auto& c) -> auto& { return c.output.wall_every; }),
      interval(
          "wall_limit", "seconds of the clock after which the run stops and can be resumed", "no limit",
          [](auto& c) -> auto& { return c.output.wall_limit; }),
      checked(takes(row(
                        "output", "formats", "of the snapshots (docs/formats.md)", any_number,
                        [](auto& c) -> auto& { return c.output.formats; }),
                    "FORMAT"),
              check_formats),
      row(
          "output", "snapshots", "false: at their times there are rows of energy.csv alone", any_number,
          [](auto& c) -> auto& { return c.output.snapshots; }),
      row(
          "output", "checkpoints", "false: the run cannot be resumed", any_number,
          [](auto& c) -> auto& { return c.output.checkpoints; }),
  };
}

std::vector<Key> watchdog_rows() {
  return {row(
              "watchdog", "energy",
              "stops at a larger |relative error| of the energy; 0: at none, as with moving potentials", from_0,
              [](auto& c) -> auto& { return c.watchdog.energy; }),
          row(
              "watchdog", "runaway", "stops at a speed this many times the largest at the start; 0: at none", from_0,
              [](auto& c) -> auto& { return c.watchdog.runaway; }),
          row(
              "watchdog", "collapse", "stops where particles ask for more than max_rung", any_number,
              [](auto& c) -> auto& { return c.watchdog.collapse; }),
          row(
              "watchdog", "every", "steps between looks at the energy; 0: never", {0, most_whole},
              [](auto& c) -> auto& { return c.watchdog.every; })};
}

std::vector<Key> device_rows() {
  return {among(row(
                    "device", "backend", "what computes", any_number,
                    [](auto& c) -> auto& { return c.simulation.backend; }),
                {"auto", "cpu", "cuda", "opencl"}),
          row(
              "device", "device", "which device of the backend, from 0", {0, most_whole},
              [](auto& c) -> auto& { return c.simulation.device; }),
          row(
              "device", "threads", "CPU threads; 0: OMP_NUM_THREADS, or all cores", {0, most_whole},
              [](auto& c) -> auto& { return c.simulation.threads; }),
          among(row(
                    "device", "precision", "of sums and differences", any_number,
                    [](auto& c) -> auto& { return c.simulation.gravity.precision; }),
                words_to(Precision::fp64))};
}

}  // namespace

const std::vector<Section>& sections() {
  static const std::vector<Section> list = {{"input", "particles from a file"},
                                            {"ic", "or from a model"},
                                            {"units", "what the numbers mean; without it those of the input"},
                                            {"gravity", "how forces are found"},
                                            {"potential", "external; [[potential]] for several"},
                                            {"time", "steps"},
                                            {"boundary", "of space"},
                                            {"collisions", "of bodies with radii"},
                                            {"gas", "flows of the family gas"},
                                            {"output", "what is written, and when"},
                                            {"watchdog", "what ends a run that goes wrong"},
                                            {"device", "where it computes"}};
  return list;
}

std::vector<Key> key_rows() {
  std::vector<Key> all;
  for (const auto rows : {source_rows, units_rows, gravity_rows, potential_rows, time_rows, space_rows, gas_rows,
                          output_rows, group_rows, watchdog_rows, device_rows}) {
    add(all, rows());
  }
  return all;
}

}  // namespace hornbeam::run
