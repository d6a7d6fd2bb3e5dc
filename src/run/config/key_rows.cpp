// SPDX-License-Identifier: Apache-2.0
// The rows of the table of options, see keys.h: one for each key, its type that of the value it represents.
#include "run/config/key_rows.h"

#include <fmt/format.h>

#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/units.h"

namespace hornbeam::run {
namespace {

using namespace rows;

void add(std::vector<Key>& to, std::vector<Key> more) {
  for (Key& key : more) to.push_back(std::move(key));
}

std::vector<Key> source_rows() {
  return {
      takes(row(
                "input", "file", "snapshot to start from; its path is relative to the TOML file", any_number,
                [](auto& c) -> auto& { return c.input_file; }),
            "PATH"),
      row(
          "input", "physical", "whether a cosmological file is converted to physical units by its scale factor and h",
          any_number, [](auto& c) -> auto& { return c.reading.physical; }),
      row(
          "input", "blocks",
          "names of the blocks of a Gadget-2 file of format 1, in their order: \"POS VEL ID MASS U\"", any_number,
          [](auto& c) -> auto& { return c.reading.blocks; }),
      takes(required(row(
                "ic", "model", "model to draw; `hornbeam ic MODEL --help` lists its own keys, here with _ for -",
                any_number, [](auto& c) -> auto& { return c.ic->model; })),
            "MODEL"),
      otherwise(row(
                    "ic", "n", "number of particles; more are smoother and slower", from_0,
                    [](auto& c) -> auto& { return c.ic->n; }),
                "none; merger: the number in its files"),
      row(
          "ic", "seed", "seed of the random numbers; the same seed gives the same particles", from_0,
          [](auto& c) -> auto& { return c.ic->seed; })};
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
                "units", "system", "units of length, mass and velocity by one name; nbody: G = 1", any_number,
                [](auto& c) -> auto& { return c.units_asked.system; }),
            unit_systems()),
      unit(
          "length", "unit of length, such as \"kpc\" or \"1e3 km\"", "LENGTH",
          [](auto& c) -> auto& { return c.units_asked.length; }),
      unit(
          "mass", "unit of mass, such as \"Msun\", \"1e10 Msun\" or \"kg\"", "MASS",
          [](auto& c) -> auto& { return c.units_asked.mass; }),
      unit(
          "velocity", "unit of velocity, such as \"km/s\" or \"AU/yr\"", "VELOCITY",
          [](auto& c) -> auto& { return c.units_asked.velocity; }),
      unit(
          "time", "unit of time, such as \"Myr\" or \"s\"; with velocity, it is that of times in keys and tables only",
          "TIME", [](auto& c) -> auto& { return c.units_asked.time; }),
      unit(
          "length_cm", "unit of length in cm; it replaces length", "",
          [](auto& c) -> auto& { return c.units_asked.length_cm; }),
      unit(
          "mass_g", "unit of mass in g; it replaces mass", "", [](auto& c) -> auto& { return c.units_asked.mass_g; }),
      unit(
          "velocity_cm_per_s", "unit of velocity in cm/s; it replaces velocity", "",
          [](auto& c) -> auto& { return c.units_asked.velocity_cm_per_s; }),
      among(row(
                "units", "of_files",
                "what happens to files in other units: refused (same), converted, or read as if in these (ignore)",
                any_number, [](auto& c) -> auto& { return c.units_asked.of_files; }),
            words_to(FileUnits::ignore))};
}

std::vector<Key> gravity_rows() {
  return {
      otherwise(told_as(gravity(
                            "eps", "softening length of all particles: larger smooths forces at small separations",
                            from_0, [](auto& c) -> auto& { return c.simulation.gravity.eps; }),
                        [](const RunConfig& c) {
                          const double eps = c.simulation.gravity.eps;
                          return eps < 0.0 ? Json() : Json(eps);
                        }),
                "the model's or the file's; otherwise a run estimates one, and force and analyze take 0"),
      gravity(
          "conserve", "whether the net force and torque left by multipoles are subtracted", any_number,
          [](auto& c) -> auto& { return c.simulation.gravity.conserve; }),
      among(gravity(
                "softening", "softening kernel; spline is Newtonian beyond 2.8 eps, plummer nowhere", any_number,
                [](auto& c) -> auto& { return c.simulation.gravity.softening; }),
            words_to(Softening::spline)),
      among(gravity(
                "walk", "walk over the tree: group is the fastest in most cases, direct sums all pairs", any_number,
                [](auto& c) -> auto& { return c.simulation.gravity.walk; }),
            words_to(Walk::direct)),
      among(gravity(
                "curve", "space-filling curve that orders particles in memory; it changes the speed only", any_number,
                [](auto& c) -> auto& { return c.simulation.gravity.curve; }),
            words_to(Curve::none)),
      otherwise(gravity(
                    "leaf_size", "largest number of particles in a leaf: larger gives fewer cells and more pairs",
                    {1, largest_leaf_size}, [](auto& c) -> auto& { return c.simulation.gravity.leaf_size; }),
                "chosen by the device"),
      otherwise(gravity(
                    "group_size", "largest number of particles in a group, which walks the tree together",
                    {1, largest_group_size}, [](auto& c) -> auto& { return c.simulation.gravity.group_size; }),
                "chosen by the device"),
  };
}

template <class Access>
Key potential(const char* name, const char* help, Access at) {
  return row("potential", name, help, any_number, at);
}

/// Of the last of several; ranges depend on the kind and are ExternalPotential::validate()'s.
std::vector<Key> potential_rows() {
  return {
      required(among(potential(
                         "kind", "kind of the potential, or bovy14 or mcmillan17 for the Milky Way (docs/dynamics.md)",
                         [](auto& c) -> auto& { return c.simulation.potentials.back().kind; }),
                     words_to(PotentialKind::miyamoto_nagai))),
      only(required(potential(
               "mass",
               "total mass (below 0 for a miyamoto-nagai that takes away from another); nfw: mass within the scale "
               "length "
               "divided by ln 2 - 1/2, or m200 and c give both",
               [](auto& c) -> auto& { return c.simulation.potentials.back().mass; })),
           "kind", {"point", "plummer", "hernquist", "nfw", "miyamoto-nagai"}),
      only(required(potential(
               "speed", "circular velocity at large radii",
               [](auto& c) -> auto& { return c.simulation.potentials.back().speed; })),
           "kind", {"logarithmic"}),
      needed_with(potential(
                      "scale", "scale length; point: softening length; logarithmic: core radius",
                      [](auto& c) -> auto& { return c.simulation.potentials.back().scale; }),
                  "kind", {"plummer", "hernquist", "nfw"}),
      only(potential(
               "flattening", "axis ratio along z: smaller is flatter",
               [](auto& c) -> auto& { return c.simulation.potentials.back().flattening; }),
           "kind", {"logarithmic"}),
      only(potential(
               "height", "scale height along z: larger is thicker",
               [](auto& c) -> auto& { return c.simulation.potentials.back().height; }),
           "kind", {"miyamoto-nagai"}),
      potential(
          "centre", "position x, y, z of the centre at time 0",
          [](auto& c) -> auto& { return c.simulation.potentials.back().centre; }),
      potential(
          "velocity", "constant velocity of the centre",
          [](auto& c) -> auto& { return c.simulation.potentials.back().velocity; })};
}

std::vector<Key> time_rows() {
  const std::vector<std::string_view> own = {name(Steps::block), name(Steps::symmetrised)};
  return {
      required(row(
          "time", "dt", "time step of all particles, or the longest one of block steps: smaller is more accurate",
          above_0, [](auto& c) -> auto& { return c.simulation.dt; })),
      otherwise(
          row(
              "time", "start", "time at the start of the run", any_number, [](auto& c) -> auto& { return c.start; }),
          "the file's time; 0 for a model"),
      required(row(
          "time", "end", "time at which the run ends", any_number, [](auto& c) -> auto& { return c.end; })),
      among(row(
                "time", "steps",
                "steps of particles: one fixed step, powers of two for each particle, or one that varies for all",
                any_number, [](auto& c) -> auto& { return c.simulation.steps; }),
            words_to(Steps::symmetrised)),
      only(row(
               "time", "eta", "accuracy of steps, which are at most eta sqrt(eps / |a|): smaller is more accurate",
               above_0, [](auto& c) -> auto& { return c.simulation.eta; }),
           "steps", own),
      only(row(
               "time", "eta_change",
               "second limit of steps, eta_change |a| / |da/dt|: smaller is more accurate; 0: not used", from_0,
               [](auto& c) -> auto& { return c.simulation.eta_change; }),
           "steps", {own.front()}),
      only(row(
               "time", "max_rung", "largest rung: the shortest step is dt / 2^max_rung", {0, 30},
               [](auto& c) -> auto& { return c.simulation.max_rung; }),
           "steps", own),
  };
}

std::vector<Key> watchdog_rows() {
  return {
      row(
          "watchdog", "energy",
          "largest |relative error| of the energy before the run stops; 0: no limit, as with moving potentials", from_0,
          [](auto& c) -> auto& { return c.watchdog.energy; }),
      row(
          "watchdog", "runaway", "largest speed before the run stops, over the largest speed at the start; 0: no limit",
          from_0, [](auto& c) -> auto& { return c.watchdog.runaway; }),
      row(
          "watchdog", "collapse", "whether the run stops when particles need steps shorter than max_rung allows",
          any_number, [](auto& c) -> auto& { return c.watchdog.collapse; }),
      row(
          "watchdog", "every", "number of steps between checks of the energy; 0: no checks", {0, most_whole},
          [](auto& c) -> auto& { return c.watchdog.every; })};
}

std::vector<Key> device_rows() {
  return {
      among(row(
                "device", "backend", "backend that computes; auto: a GPU if one has memory for it, otherwise the CPU",
                any_number, [](auto& c) -> auto& { return c.simulation.backend; }),
            {"auto", "cpu", "cuda", "opencl"}),
      row(
          "device", "device",
          "index of the device in its backend, from 0; several (0,1) or all of one kind share the work, with the same "
          "results",
          any_number, [](auto& c) -> auto& { return c.simulation.device; }),
      row(
          "device", "threads", "number of CPU threads; 0: OMP_NUM_THREADS, or all cores", {0, most_whole},
          [](auto& c) -> auto& { return c.simulation.threads; }),
      among(
          row(
              "device", "precision", "floating-point precision; mixed: sums in fp64, differences of positions in fp32",
              any_number, [](auto& c) -> auto& { return c.simulation.gravity.precision; }),
          words_to(Precision::fp64))};
}

}  // namespace

const std::vector<Section>& sections() {
  static const std::vector<Section> list = {{"input", "particles from a file"},
                                            {"ic", "particles from a model"},
                                            {"units", "units of all numbers; without this section those of the input"},
                                            {"gravity", "how forces are computed"},
                                            {"potential", "external potential; [[potential]] for several"},
                                            {"time", "time and its steps"},
                                            {"boundary", "edges of space"},
                                            {"collisions", "collisions of bodies with radii"},
                                            {"gas", "hydrodynamics of the family gas"},
                                            {"output", "what is written, and when"},
                                            {"watchdog", "limits at which a run stops because it went wrong"},
                                            {"device", "device that computes"}};
  return list;
}

std::vector<Key> key_rows() {
  std::vector<Key> all;
  for (const auto rows : {source_rows, units_rows, accuracy_rows, gravity_rows, potential_rows, time_rows, space_rows,
                          gas_rows, output_rows, watchdog_rows, device_rows}) {
    add(all, rows());
  }
  return all;
}

}  // namespace hornbeam::run
