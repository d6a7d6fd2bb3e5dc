// SPDX-License-Identifier: Apache-2.0
// Header, units and cosmology of Gadget's HDF5 layout, see gadget_hdf5_header.h.
#include "io/gadget/hdf5_header.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/shown_text.h"
#include "core/unit_spellings.h"
#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/gadget/hdf5_layout.h"
#include "io/layout.h"

namespace hornbeam::io {
namespace {

namespace gh = gadget_hdf5;

constexpr std::size_t most_types = 64;

/// The first of these attributes that is there as a number or a column of one; of the groups that exist.
std::optional<double> find_number(const Hdf5Group& root, std::initializer_list<const char*> groups,
                                  std::initializer_list<const char*> names) {
  for (const char* group : groups) {
    if (!root.has(group)) continue;
    const Hdf5Group found = root.open(group);
    for (const char* name : names) {
      if (found.has_number(name)) return found.numbers(name, most_types).front();
    }
  }
  return std::nullopt;
}

void read_counts(const Hdf5Group& group, FoundHeader& header) {
  header.count = group.counts("NumPart_ThisFile", most_types);
  for (std::size_t f = family_count; f < header.count.size(); ++f) {
    if (header.count[f] == 0) continue;
    throw Error(group.subject(),
                "has " + std::to_string(header.count[f]) + " particles of type " + std::to_string(f) +
                    "; there are six types, 0 to 5",
                "leave type " + std::to_string(f) + " out of the file");
  }
  header.count.resize(std::min<std::size_t>(header.count.size(), family_count));
  header.mass.assign(header.count.size(), 0.0);
  if (!group.has_attribute("MassTable")) {
    return header.notes.emplace_back("no MassTable: masses are read from the datasets"), void();
  }
  header.mass = group.numbers("MassTable", most_types);
  header.mass.resize(header.count.size());
}

/// Particles of the whole snapshot, of which the high words may be absent; 0 where the header does not say.
std::uint64_t read_total(const Hdf5Group& group) {
  if (!group.has_number("NumPart_Total")) return 0;
  std::uint64_t total = 0;
  for (const std::uint64_t number : group.counts("NumPart_Total", most_types)) total += number;
  if (!group.has_number("NumPart_Total_HighWord")) return total;
  for (const std::uint64_t number : group.counts("NumPart_Total_HighWord", most_types)) total += number << 32U;
  return total;
}

/// A number of the header that has a sensible value where it is missing, with a note.
double number_or(const Hdf5Group& group, const char* name, double otherwise, FoundHeader& header) {
  if (group.has_attribute(name)) return group.numbers(name, 1).front();
  header.notes.push_back(std::string("no ") + name + " in the header: " + (otherwise == 0 ? "0" : "1") + " is taken");
  return otherwise;
}

void read_box(const Hdf5Group& group, FoundHeader& header) {
  if (!group.has_attribute("BoxSize")) {
    return header.notes.emplace_back("no BoxSize in the header: open boundaries are assumed"), void();
  }
  const std::vector<double> box = group.numbers("BoxSize", 3);
  if (box.size() == 2) {
    throw Error(group.subject(), "/Header attribute BoxSize has 2 edges: must have one or three");
  }
  for (std::size_t k = 0; k < 3; ++k) header.box[k] = box[box.size() == 3 ? k : 0];
}

bool has_entropies(const Hdf5Group& group) {
  if (!group.has_number("Flag_Entropy_ICs")) return false;
  const std::vector<double> flags = group.numbers("Flag_Entropy_ICs", most_types);
  return std::any_of(flags.begin(), flags.end(), [](double flag) { return flag != 0; });
}

/// What units are called: each in one unit of `cgs`, written with and without the code's own letters.
struct UnitNames {
  std::array<const char*, 6> names;
  double cgs = 1;
};

/// The size of a unit in cgs; 0 where the group does not name it.
double unit_in(const Hdf5Group& group, std::initializer_list<UnitNames> all) {
  for (const UnitNames& each : all) {
    for (const char* name : each.names) {
      if (name == nullptr || !group.has_number(name)) continue;
      const double value = group.numbers(name, 1).front();
      if (std::isfinite(value) && value > 0) return value * each.cgs;
      throw Error(group.subject(),
                  group.path() + " attribute " + name + " = " + std::to_string(value) + ": must be positive");
    }
  }
  return 0;
}

/// Of one group: length, mass and velocity, or time in place of the velocity.
std::optional<Units> units_in(const Hdf5Group& group) {
  const double kpc = length_from("kpc", "kpc"), sun = mass_from("Msun", "Msun");
  const double length = unit_in(group, {{{gh::length_unit, "UnitLength_In_CGS", "UnitLength_in_CGS", "UnitLength",
                                          "Unit length in cgs (U_L)", "InternalUnitSystem_UnitLength_in_cgs"}},
                                        {{"KpcUnit", "dKpcUnit"}, kpc}});
  if (length == 0) return std::nullopt;
  const double mass = unit_in(group, {{{gh::mass_unit, "UnitMass_In_CGS", "UnitMass_in_CGS", "UnitMass",
                                        "Unit mass in cgs (U_M)", "InternalUnitSystem_UnitMass_in_cgs"}},
                                      {{"MsolUnit", "dMsolUnit"}, sun}});
  const double velocity =
      unit_in(group, {{{gh::velocity_unit, "UnitVelocity_In_CGS", "UnitVelocity_in_CGS", "UnitVelocity",
                        "UnitVelocity_in_cm_s", "InternalUnitSystem_UnitVelocity_in_cgs"}},
                      {{"KmPerSecUnit", "dKmPerSecUnit"}, 1e5}});
  const double time = unit_in(
      group,
      {{{"Unit time in cgs (U_t)", "UnitTime_in_s", "UnitTime_In_CGS", "UnitTime_in_CGS", "UnitTime", "SecUnit"}}});
  if (mass == 0) throw Error(group.subject(), group.path() + "/attribute " + gh::mass_unit + " is missing");
  if (velocity == 0 && time == 0) {
    throw Error(group.subject(), group.path() + "/attribute " + gh::velocity_unit + " is missing");
  }
  return physical_units(length, mass, velocity > 0 ? velocity : length / time);
}

/// act(group, dataset) for the places, masses and velocities of each type.
template <class Act>
void for_main_datasets(const Hdf5Group& root, const Act& act) {
  for (std::size_t type = 0; type < family_count; ++type) {
    const std::string name = gh::group_name(type);
    if (!root.has(name)) continue;
    const Hdf5Group group = root.open(name);
    for (const char* dataset : {"Coordinates", "Masses", "Velocities"}) {
      if (group.has(dataset)) act(group, dataset);
    }
  }
}

/// Of files that say what one is in cgs at each dataset alone: by the attributes of Gadget-4, EAGLE and SWIFT.
std::optional<Units> units_of_datasets(const Hdf5Group& root) {
  std::map<std::string, double> cgs;
  for_main_datasets(root, [&](const Hdf5Group& group, const char* dataset) {
    for (const char* name :
         {"to_cgs", "CGSConversionFactor", "Conversion factor to CGS (not including cosmological corrections)"}) {
      const double value = group.number_of(dataset, name).value_or(0);
      if (std::isfinite(value) && value > 0) cgs.emplace(dataset, value);
    }
  });
  const bool all_one = std::all_of(cgs.begin(), cgs.end(), [](const auto& one) { return one.second == 1; });
  if (cgs.size() < 3 || all_one) return std::nullopt;
  return physical_units(cgs["Coordinates"], cgs["Masses"], cgs["Velocities"]);
}

/// The powers of a and h that Gadget-4 and EAGLE name at coordinates, if any is not 0: then these are comoving or per
/// h.
std::optional<Scaling> scaling_of_coordinates(const Hdf5Group& root) {
  std::optional<Scaling> found;
  for_main_datasets(root, [&](const Hdf5Group& group, const char* dataset) {
    if (found || std::string_view(dataset) != "Coordinates") return;
    for (const auto& [of_a, of_h] :
         {std::pair("a_scaling", "h_scaling"), std::pair("aexp-scale-exponent", "h-scale-exponent")}) {
      const Scaling scaling{group.number_of(dataset, of_a).value_or(0), group.number_of(dataset, of_h).value_or(0)};
      if (scaling.a != 0 || scaling.h != 0) found = scaling;
    }
  });
  return found;
}

/// Attributes of datasets and groups of any name that look like units.
std::string like_units_elsewhere(const Hdf5Group& root) {
  std::string found;
  const auto add = [&found](const std::string& what) { found += (found.empty() ? "" : ", ") + shown(what); };
  for_main_datasets(root, [&](const Hdf5Group& group, const char* dataset) {
    for (const char* name : {"units", "unit", "Units", "Unit"}) {
      const std::string text = group.text_of(dataset, name, 80);
      if (!text.empty()) add(group.path().substr(1) + "/" + dataset + " " + name + " " + text);
    }
  });
  for (const std::string& name : root.names()) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), small_letter);
    if (name != "Units" && lower.find("unit") != std::string::npos && lower != "internalcodeunits") add(name);
  }
  return found;
}

/// Names of attributes that look like units, where none was understood.
std::string like_units(const Hdf5Group& root) {
  std::string found = like_units_elsewhere(root);
  for (const char* name : {"Units", "Parameters", "Header", "InternalCodeUnits", "RuntimePars", "/"}) {
    if (*name != '/' && !root.has(name)) continue;
    const std::optional<Hdf5Group> group = *name == '/' ? std::nullopt : std::optional(root.open(name));
    const Hdf5Group& here = group ? *group : root;
    for (const std::string& attribute : here.attribute_names()) {
      std::string lower = attribute;
      std::transform(lower.begin(), lower.end(), lower.begin(), small_letter);
      if (lower.find("unit") == std::string::npos) continue;
      found += (found.empty() ? "" : ", ") + shown(attribute);
    }
  }
  return found;
}

/// Of all but SWIFT the time is the scale factor; 0 where it and the redshift disagree.
double scale_factor(double time, const std::optional<double>& redshift) {
  const double from_redshift = redshift ? 1 / (1 + *redshift) : 0;
  if (time == 0) return from_redshift;
  constexpr double rounding = 1e-3;
  return !redshift || std::abs(time / from_redshift - 1) < rounding ? time : 0;
}

}  // namespace

FoundHeader read_gadget_header(const Hdf5Group& root) {
  if (root.has("Checkpoint")) {
    throw Error(root.subject(), "is a checkpoint of an earlier layout, or a damaged one", "read a snapshot instead");
  }
  if (!root.has("Header"))
    throw Error(root.subject(), "is HDF5, but not a Gadget snapshot: group /Header is missing",
                "write its arrays with numpy.savez as position, velocity and mass");
  const Hdf5Group group = root.open("Header");
  FoundHeader header;
  read_counts(group, header);
  header.files = group.has_attribute("NumFilesPerSnapshot") ? group.counts("NumFilesPerSnapshot", 1).front() : 1;
  header.total = read_total(group);
  header.time = number_or(group, "Time", 0, header);
  read_box(group, header);
  header.of_entropies = has_entropies(group);
  return header;
}

std::optional<Cosmology> read_cosmology(const Hdf5Group& root, double time) {
  const auto found = [&](std::initializer_list<const char*> names) {
    return find_number(root, {"Header", "Parameters", "Cosmology", "RuntimePars"}, names);
  };
  const std::optional<double> stated = found({"ComovingIntegrationOn", "Cosmological run", "bComove"});
  const std::optional<double> scale = found({"Scale-factor", "ExpansionFactor", "scale_factor"});
  const std::optional<double> redshift = found({"Redshift"});
  const double matter = found({"Omega0", "Omega_Matter", "OmegaMatter", "Omega_m", "dOmega0"}).value_or(0);
  const bool known = matter > 0 || redshift.value_or(0) > 0 || (scale && *scale > 0 && *scale != 1);
  const std::optional<Scaling> scaling = known ? std::nullopt : scaling_of_coordinates(root);
  const bool marked = known || scaling;
  if (stated ? *stated == 0 : !marked) return std::nullopt;
  const bool swift = root.has("Cosmology");  // whose numbers are free of h, and velocities peculiar
  Cosmology cosmology;
  cosmology.per_h = !swift && (!scaling || scaling->h != 0);
  cosmology.velocity_of_a = swift ? 0 : 0.5;
  cosmology.h = swift ? found({"h"}).value_or(0) : found({"HubbleParam", "Hubble_param", "h"}).value_or(0);
  cosmology.omega_matter = matter;
  cosmology.omega_lambda =
      found({"OmegaLambda", "Omega_Lambda", "Omega_lambda", "dLambda"}).value_or(std::max(0.0, 1 - matter));
  cosmology.a = scale ? *scale : scale_factor(swift ? 0 : time, redshift);
  return cosmology;
}

std::optional<Units> read_hdf5_units(const Hdf5Group& root, std::vector<std::string>& notes) {
  std::optional<Units> units;
  for (const char* name : {"Units", "Parameters", "Header", "InternalCodeUnits"}) {  // the order of pynbody
    if (!units && root.has(name)) units = units_in(root.open(name));
  }
  if (!units) units = units_of_datasets(root);
  if (!units) {
    const std::string like = like_units(root);
    add_if(notes, !like.empty(), units_not_understood + like + ": G = 1 is assumed, unless [units] is given");
    return units;
  }
  const double prescribed = find_number(root, {"Parameters"}, {gh::gravity}).value_or(0);
  if (!std::isfinite(prescribed) || prescribed < 0) {
    throw Error(root.subject(), "/Parameters attribute GravityConstantInternal must be 0 or more");
  }
  // units of 1 with a G that is not theirs are how write_gadget_hdf5() marks a system without physical units
  const bool all_one = units->length_cm == 1 && units->mass_g == 1 && units->velocity_cm_per_s == 1;
  units->physical = !(all_one && prescribed > 0 && prescribed != units->G);
  if (prescribed > 0) units->G = prescribed;
  return units;
}

}  // namespace hornbeam::io
