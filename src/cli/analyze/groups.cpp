// SPDX-License-Identifier: Apache-2.0
// Groups of a snapshot for `hornbeam analyze`, see analyze_groups.h.
#include "cli/analyze/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "analysis/groups/groups_need.h"
#include "cli/common.h"
#include "core/fields.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/halo.h"
#include "hornbeam/io.h"
#include "io/gadget/hdf5.h"
#include "io/group_catalogue.h"

namespace hornbeam::cli {
namespace {

constexpr std::size_t groups_shown = 20;

/// A column of the largest groups.
template <class Value>
Json of_largest(const GroupCatalogue& catalogue, const Value& value) {
  Json list = Json::array();
  for (std::size_t g = 0; g < std::min(groups_shown, catalogue.groups.size()); ++g) {
    list.push_back(value(catalogue.groups[g]));
  }
  return list;
}

Json largest_groups(const GroupCatalogue& found, const GroupOptions& options) {
  Json json = {
      {"count", found.groups.size()}, {"linking_length", found.linking_length}, {"grouped", found.members.size()}};
  if (!options.primary.empty()) json["attached"] = found.attached;
  if (options.unbind) json["unbound"] = found.unbound;
  json["seconds_tree"] = found.seconds_tree;
  json["seconds_linking"] = found.seconds_linking;
  json["members"] = of_largest(found, [](const Group& g) { return g.size; });
  json["mass"] = of_largest(found, [](const Group& g) { return g.mass; });
  const std::array<std::string, 3> axes = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) json[axes[k]] = of_largest(found, [k](const Group& g) { return g.position[k]; });
  for (std::size_t k = 0; k < 3; ++k) {
    json["v" + axes[k]] = of_largest(found, [k](const Group& g) { return g.velocity[k]; });
  }
  json["dispersion"] = of_largest(found, [](const Group& g) { return g.dispersion; });
  json["half_mass_radius"] = of_largest(found, [](const Group& g) { return g.half_mass_radius; });
  const bool closed =
      options.box_size > 0 || options.boundary.size[0] * options.boundary.size[1] * options.boundary.size[2] > 0;
  if (closed) json["radius_200"] = of_largest(found, [](const Group& g) { return g.radius_200; });
  if (std::any_of(found.groups.begin(), found.groups.end(), [](const Group& g) { return g.spans_box; })) {
    json["spans_box"] = of_largest(found, [](const Group& g) { return g.spans_box ? 1 : 0; });
  }
  return json;
}

/// Of all groups if they go into a file, otherwise of those that are shown.
io::GroupHalos halos_among(const Particles& particles, const GroupCatalogue& found, const GroupOptions& options,
                           const MeasureSettings& settings, const Units& units) {
  const double critical = settings.critical.value_or(analysis::critical_density(units, settings.cosmology));
  return io::halos_about(particles, found, options, critical, settings.cosmology,
                         settings.group_file.empty() ? groups_shown : found.groups.size());
}

void add_halos(const io::GroupHalos& all, Json& json) {
  const std::vector<analysis::Halo> halos(
      all.halos.begin(), all.halos.begin() + static_cast<std::ptrdiff_t>(std::min(groups_shown, all.halos.size())));
  const auto column = [&](const auto& value) {
    Json list = Json::array();
    for (const analysis::Halo& halo : halos) list.push_back(value(halo));
    return list;
  };
  const std::array<std::string, 3> axes = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    json["centre_" + axes[k]] = column([k](const analysis::Halo& h) { return h.centre[k]; });
  }
  json["v_max"] = column([](const analysis::Halo& h) { return h.v_max; });
  json["r_max"] = column([](const analysis::Halo& h) { return h.r_max; });
  if (!(all.critical > 0)) return;
  json["m200c"] = column([](const analysis::Halo& h) { return h.m200c.mass; });
  json["r200c"] = column([](const analysis::Halo& h) { return h.m200c.radius; });
  json["m500c"] = column([](const analysis::Halo& h) { return h.m500c.mass; });
  json["r500c"] = column([](const analysis::Halo& h) { return h.m500c.radius; });
  json["mvir"] = column([](const analysis::Halo& h) { return h.virial.mass; });
  json["rvir"] = column([](const analysis::Halo& h) { return h.virial.radius; });
}

/// Of the particles of those families.
std::vector<std::size_t> in_order_of_groups(const Snapshot& snapshot, const std::vector<Family>& families,
                                            const GroupCatalogue& found) {
  const std::vector<std::size_t> searched = analysis::places_of(snapshot.particles, families);
  std::vector<std::size_t> order;
  std::vector<bool> is_member(snapshot.particles.size(), false);
  order.reserve(is_member.size());
  for (const std::uint32_t member : found.members) {
    order.push_back(searched[member]);
    is_member[searched[member]] = true;
  }
  for (std::size_t i = 0; i < is_member.size(); ++i) {
    if (!is_member[i]) order.push_back(i);
  }
  return order;
}

/// The snapshot with the members of groups first, group after group: where Gadget's catalogues look for them.
void write_sorted(const Snapshot& snapshot, const MeasureSettings& settings, const GroupCatalogue& found) {
  const Snapshot sorted = analysis::selected(snapshot, in_order_of_groups(snapshot, settings.families, found));
  write_snapshot(settings.sorted_file, sorted, format_named("hdf5"), read_record(settings.file));
}

}  // namespace

memory::Need need_of_groups(const Snapshot& snapshot, const MeasureSettings& settings) {
  const bool copies = !settings.families.empty() || !settings.sorted_file.empty();
  const memory::Need chosen = copies ? memory::output_copy({}) : memory::Need{};
  return chosen + analysis::groups_need(snapshot.particles.size(), settings.groups);
}

Json measured_groups(const Snapshot& snapshot, const MeasureSettings& settings) {
  GroupOptions options = settings.groups;
  options.settle_for(snapshot, settings.box);
  options.eps = settings.eps;
  options.softening = settings.kernel;
  const bool all = settings.families.empty();
  const Snapshot some = all ? Snapshot{} : analysis::selected(snapshot, settings.families);
  const Snapshot& of = all ? snapshot : some;
  const GroupCatalogue found = find_groups(of.particles, options);
  const io::GroupHalos halos = halos_among(of.particles, found, options, settings, snapshot.units);
  if (!settings.group_file.empty()) io::write_groups(settings.group_file, found, halos, of, options);
  if (!settings.sorted_file.empty()) write_sorted(snapshot, settings, found);
  Json groups = largest_groups(found, options);
  add_halos(halos, groups);
  return {{"time", snapshot.time}, {"groups", std::move(groups)}};
}

void add_group_flags(CLI::App& command, const std::shared_ptr<MeasureSettings>& settings) {
  GroupOptions& groups = settings->groups;
  const auto number = [&](const char* flag, auto& value, const char* help, bool above_0 = false) {
    command
        .add_option_function<std::string>(
            flag,
            [settings, flag, &value, above_0](const std::string& text) {
              const double given = number_from_text(text, flag);
              if (above_0 && !(given > 0)) throw UsageError(flag, "received " + text, "must be above 0");
              value = given;
              settings->group_flags.emplace_back(flag);
            },
            help)
        ->type_name("FLOAT");
  };
  number("--linking-length", groups.linking_length, "friends are no farther apart");
  number("--linking-fraction", groups.linking_fraction, "the same in mean separations (default: 0.2)");
  number("--linking-density", groups.linking_density, "the same by the density at which two particles are linked");
  command
      .add_option_function<std::vector<std::string>>(
          "--primary-types",
          [settings](const std::vector<std::string>& names) {
            for (const std::string& name : names) settings->groups.primary.push_back(family_from_text(name));
            settings->group_flags.emplace_back("--primary-types");
          },
          "families that are linked; each particle of another one joins the group of the nearest of them within the "
          "linking length (default: all are linked)")
      ->allow_extra_args(false)
      ->type_name(family_words());
  number("--critical-density", settings->critical,
         "critical density of m200c, m500c and mvir, in the file's units (default: that of --hubble)");
  number("--hubble", settings->cosmology.hubble, "Hubble's constant in km/s/Mpc (default: 70)", true);
  number("--omega-m", settings->cosmology.omega_m, "matter over critical density, for mvir (default: 0.3)", true);
  number("--box", settings->box, "edge of a periodic cube; 0: none (default: the file's box)");
  command
      .add_option_function<std::string>(
          "--min-members",
          [settings](const std::string& text) {
            settings->groups.min_members = integer_from_text_in(1, most_particles, text, "--min-members");
            settings->group_flags.emplace_back("--min-members");
          },
          "of a group (default: 32)")
      ->type_name("INT");
  command.add_flag_callback(
      "--unbind",
      [settings] {
        settings->groups.unbind = true;
        settings->group_flags.emplace_back("--unbind");
      },
      "take out of groups what is not bound to them");
  command
      .add_option_function<std::string>(
          "-o",
          [settings](const std::string& text) {
            settings->group_file = text;
            settings->group_flags.emplace_back("-o");
          },
          "catalogue of all groups to write: .hdf5 or .csv")
      ->type_name("PATH");
  command
      .add_option_function<std::string>(
          "--sorted-snapshot",
          [settings](const std::string& text) {
            settings->sorted_file = text;
            settings->group_flags.emplace_back("--sorted-snapshot");
          },
          "snapshot to write (.hdf5): the same particles, members of groups first in the order of the catalogue, "
          "as pynbody expects")
      ->type_name("PATH");
}

void check_group_files(const MeasureSettings& settings, std::size_t snapshots) {
  if (!settings.group_file.empty()) io::check_group_file(settings.group_file);
  if (!settings.sorted_file.empty() && format_of(settings.sorted_file).format != Format::hdf5) {
    throw UsageError("--sorted-snapshot " + settings.sorted_file, "is no HDF5 file", "give a name that ends in .hdf5");
  }
  for (const auto& [flag, file] :
       {std::pair("-o ", settings.group_file), std::pair("--sorted-snapshot ", settings.sorted_file)}) {
    if (file.empty() || snapshots == 1) continue;
    throw UsageError(flag + file, fmt::format("takes the groups of one snapshot, and received {} snapshots", snapshots),
                     "give one FILE");
  }
  if (!settings.group_file.empty() && settings.group_file == settings.sorted_file) {
    throw UsageError("--sorted-snapshot " + settings.sorted_file, "is the catalogue of -o", "give another name");
  }
}

void print_group_lines(const MeasureSettings& settings, const Units& units) {
  const std::filesystem::path catalogue = settings.group_file;
  if (catalogue.empty() || catalogue.extension() == ".csv") return;
  const bool sorted = !settings.sorted_file.empty();
  if (!io::is_named_as_subfind(catalogue)) {
    fmt::print("to open the catalogue in yt or pynbody: call it {}{}\n", io::subfind_example,
               sorted ? "" : ", and give --sorted-snapshot for pynbody");
    return;
  }
  fmt::print("to open the catalogue in yt: {}\n", io::yt_catalogue_line(catalogue, units));
  if (sorted) {
    fmt::print("to open it in pynbody: pynbody.load(\"{}\").halos(filename=\"{}\")\n", settings.sorted_file,
               catalogue.string());
  } else {
    fmt::print("to open it in pynbody: give --sorted-snapshot, the members' order that it expects\n");
  }
}

}  // namespace hornbeam::cli
