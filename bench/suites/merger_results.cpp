// SPDX-License-Identifier: Apache-2.0
// Results of one run of the merger, see merger_results.h.
#include "bench/suites/merger_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "hornbeam/analysis.h"
#include "hornbeam/io.h"
#include "hornbeam/render.h"
#include "io/files/file.h"
#include "io/tables/growing_table.h"
#include "run/records/track.h"

namespace hornbeam::cli {
namespace {

namespace fs = std::filesystem;

/// Passages to show: the third is the last that the paper speaks of.
constexpr std::size_t most_passages = 6;
/// Times in the JSON are at least this far apart: the whole tables stay in the run's folder.
constexpr double energy_spacing = 1, track_spacing = 0.5;
constexpr int pictures_in_a_row = 5;
/// A shell counts in comparisons where it holds this share of the mass: 1,000 of the paper's particles.
constexpr double enough_mass = 0.004;

/// Shells of profiles, the same for all runs: from 0.25 to 128, two for each factor of two.
std::vector<double> shells() {
  std::vector<double> edges;
  for (int k = 0; k <= 18; ++k) edges.push_back(0.25 * std::pow(2.0, 0.5 * k));
  return edges;
}

/// Six digits are enough for plots.
double rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

/// The largest energy error and its time, the wall's seconds, and the error over time.
Json energy_figures(const fs::path& table) {
  constexpr std::size_t error = 5, wall = 12;  // columns of energy.csv
  Json times = Json::array(), errors = Json::array();
  double largest = 0, at = 0, seconds = 0, next = 0;
  for (const std::vector<double>& row : io::read_rows(table)) {
    if (std::abs(row[error]) > largest) {
      largest = std::abs(row[error]);
      at = row[0];
    }
    seconds = row[wall];
    if (row[0] < next) continue;
    next = row[0] + energy_spacing;
    times.push_back(row[0]);
    errors.push_back(rounded(row[error]));
  }
  return {{"energy_error", largest},
          {"energy_error_time", at},
          {"wall_seconds", seconds},
          {"energy", {{"time", times}, {"error", errors}}}};
}

Json track_figures(const fs::path& table) {
  const run::Track track = run::read_track(table);
  Json times = Json::array(), distances = Json::array();
  double next = 0;
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    if (track.times[i] < next) continue;
    next = track.times[i] + track_spacing;
    times.push_back(track.times[i]);
    distances.push_back(rounded(track.distance(i)));
  }
  return {{"passages", run::passages_json(track, most_passages)},
          {"black_holes", {{"time", times}, {"distance", distances}}}};
}

Json profiles(const fs::path& folder) {
  Json list = Json::array();
  for (const fs::path& file : render::snapshot_files(folder)) {
    const Snapshot snapshot = read_snapshot(file);
    if (snapshot.time == 0.0) continue;  // two galaxies far apart
    const analysis::Profile p = analysis::profile(snapshot.particles, snapshot.units.G, 0, shells());
    list.push_back({{"time", snapshot.time},
                    {"radius", p.radius},
                    {"density", p.density},
                    {"mass", p.mass},
                    {"circular_velocity", p.circular_velocity}});
  }
  return list;
}

struct DistanceAgreement {
  double since = 0, last = 0;  ///< of the times that both have
  double largest = 0;
};

DistanceAgreement distance_agreement(const Json& row, const Json& reference, double until) {
  std::map<double, double> ours;
  for (std::size_t i = 0; i < row["time"].size(); ++i) ours[row["time"][i]] = row["distance"][i];
  DistanceAgreement found{.since = HUGE_VAL};
  for (std::size_t i = 0; i < reference["time"].size(); ++i) {
    const double time = reference["time"][i];
    const auto at = ours.find(time);  // both count the same steps from 0
    if (time > until || at == ours.end()) continue;
    found.since = std::min(found.since, time);
    found.last = time;
    found.largest = std::max(found.largest, std::abs(at->second - reference["distance"][i].get<double>()));
  }
  return found;
}

/// The largest |a / b - 1| of one measure over shells with enough mass.
double largest_change(const Json& a, const Json& b, const char* measure) {
  const std::vector<double> edges = shells(), density = b["density"], of_a = a[measure], of_b = b[measure];
  const double all = b["mass"].back();
  double largest = 0;
  for (std::size_t i = 0; i < of_b.size(); ++i) {
    const double volume = 4.0 / 3.0 * std::numbers::pi * (std::pow(edges[i + 1], 3) - std::pow(edges[i], 3));
    if (density[i] * volume < enough_mass * all) continue;
    largest = std::max(largest, std::abs(of_a[i] / of_b[i] - 1));
  }
  return largest;
}

/// The last profiles that both have, compared; null where there are none.
Json profile_agreement(const Json& row, const Json& reference) {
  Json found;
  for (const Json& theirs : reference["profiles"]) {
    for (const Json& ours : row["profiles"]) {
      if (std::abs(ours["time"].get<double>() - theirs["time"].get<double>()) > 1e-6) continue;
      found = {{"time", theirs["time"]}};
      for (const char* measure : {"density", "mass", "circular_velocity"}) {
        found[measure] = largest_change(ours, theirs, measure);
      }
    }
  }
  return found;
}

}  // namespace

Json read_json(const fs::path& path) {
  return fs::exists(path) ? Json::parse(io::read_text(path), nullptr, false) : Json();
}

Json merger_row(const fs::path& folder) {
  const Json summary = read_json(folder / "run.json");
  const Json &totals = summary.at("totals"), &asked = summary.at("configuration"), &device = summary.at("device");
  const bool direct = asked["gravity"]["walk"] == "direct";
  Json row = {{"n", totals["particles"]},         {"theta", direct ? Json(0.0) : asked["gravity"]["theta"]},
              {"walk", asked["gravity"]["walk"]}, {"steps", asked["time"]["steps"]},
              {"dt", asked["time"]["dt"]},        {"eps", asked["gravity"]["eps"]},
              {"backend", device["backend"]},     {"device", device["device"]},
              {"commit", summary["commit"]},      {"time", totals["time"]},
              {"end", asked["time"]["end"]},      {"finished", totals["finished"]},
              {"steps_made", totals["steps"]}};
  if (!direct) {
    for (const char* key : {"mac", "theta_c", "expansion"}) row[key] = asked["gravity"][key];
  }
  row.update(energy_figures(folder / "energy.csv"));
  row.update(track_figures(folder / "black_holes.csv"));
  row["profiles"] = profiles(folder);
  return row;
}

Json merger_agreement(const Json& row, const Json& reference) {
  const Json& passed = reference["passages"];
  const double until = passed.size() > 2 ? passed[2]["time"].get<double>() : HUGE_VAL;
  const auto [since, last, largest] = distance_agreement(row["black_holes"], reference["black_holes"], until);
  Json agreement = {{"label", row["label"]},
                    {"against", reference["label"]},
                    {"since", since},
                    {"until", last},
                    {"distance", largest}};
  const Json profile = profile_agreement(row, reference);
  if (!profile.is_null()) agreement["profile"] = profile;
  return agreement;
}

void draw_merger(const fs::path& folder, const fs::path& png) {
  render::Options options;
  options.width = options.height = 320;
  options.families = {Family::disc, Family::bulge};
  options.centre = Vec3{};  // the centre of mass, which stays
  options.extent = 160;
  std::vector<render::Image> pictures;
  for (const fs::path& file : render::snapshot_files(folder)) pictures.push_back(draw(read_snapshot(file), options));
  render::write_png(
      png, render::contact_sheet(pictures, std::min<int>(pictures_in_a_row, static_cast<int>(pictures.size()))));
}

}  // namespace hornbeam::cli
