// SPDX-License-Identifier: Apache-2.0
// Reading and writing the files of a run, see run_directory.h.
#include "run/folder/run_directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <system_error>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/files/file.h"
#include "io/formats.h"
#include "io/gadget/hdf5.h"
#include "io/tools.h"
#include "run/folder/saved_run.h"

namespace hornbeam::run {
namespace fs = std::filesystem;
namespace {

constexpr const char* checkpoint_name = "checkpoint.hdf5";
constexpr const char* previous_name = "checkpoint_previous.hdf5";
constexpr const char* second_name = "checkpoint_previous.hdf5.new";
constexpr const char* latest_name = "latest.hdf5";
constexpr const char* stop_name = "stop";
constexpr const char* energy_name = "energy.csv";
constexpr const char* black_holes_name = "black_holes.csv";
constexpr const char* ring_name = "ring.csv";
constexpr const char* rungs_name = "rungs.csv";
constexpr const char* summary_name = "run.json";

/// ",NAME [UNIT]" for each name; the name alone where units are not physical.
std::string headings(std::initializer_list<const char*> names, const std::string& unit) {
  std::string text;
  for (const char* name : names) text += std::string(",") + name + (unit.empty() ? "" : " [" + unit + "]");
  return text;
}

/// thermal: whether there is a column for internal energies.
std::string energy_header(const Units& u, bool thermal) {
  return headings({"time"}, time_unit_name(u)).substr(1) + ",step" +
         headings({"kinetic", "potential", "total"}, unit_name(u, 0, 1, 2)) + ",relative_error" +
         headings({"momentum_x", "momentum_y", "momentum_z"}, unit_name(u, 0, 1, 1)) +
         headings({"angular_momentum_x", "angular_momentum_y", "angular_momentum_z"}, unit_name(u, 1, 1, 1)) +
         (thermal ? headings({"thermal"}, unit_name(u, 0, 1, 2)) : "") + ",wall_seconds";
}

std::string black_holes_header(const Units& u) {
  return headings({"time"}, time_unit_name(u)).substr(1) + ",step,id" +
         headings({"x", "y", "z"}, unit_name(u, 1, 0, 0)) +
         headings({"velocity_x", "velocity_y", "velocity_z"}, unit_name(u, 0, 0, 1));
}

std::string ring_header(const Units& u) {
  return headings({"time"}, time_unit_name(u)).substr(1) + ",step,bodies,optical_depth" +
         headings({"c_x", "c_y", "c_z"}, unit_name(u, 0, 0, 1)) + ",filling_factor" +
         headings({"nu_trans", "nu_coll", "nu_grav"}, unit_name(u, 1, 0, 1)) +
         ",toomre_q,collisions_per_orbit,collisions" + headings({"momentum_flux"}, unit_name(u, 1, 1, 1));
}

bool is_of_a_run(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* known : {checkpoint_name, previous_name, latest_name, energy_name, black_holes_name, ring_name,
                            rungs_name, summary_name}) {
    if (name == known) return true;
  }
  return name.starts_with("snapshot_") || (name.starts_with("groups_") && file.extension() == ".hdf5");
}

std::vector<fs::path> files_of_a_run(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && is_of_a_run(entry.path())) files.push_back(entry.path());
  }
  return files;
}

/// What a killed run was about to give its name.
std::vector<fs::path> left_unfinished(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const bool unfinished = entry.path().filename() == second_name || is_of_a_run(io::file_to_replace(entry.path()));
    if (unfinished && entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

void take_away(const fs::path& file) {
  std::error_code failed;
  fs::remove(file, failed);
  if (failed) throw Error(file.string(), "cannot be removed: " + failed.message(), "choose another output.directory");
}

}  // namespace

RunDirectory::RunDirectory(fs::path directory, std::vector<std::string> formats, Mode mode)
    : directory_(std::move(directory)), formats_(std::move(formats)), mode_(mode) {
  const std::string subject = directory_.string();
  try {
    if (mode != Mode::resume) {
      fs::create_directories(directory_);
    } else if (!fs::exists(directory_)) {
      throw Error(subject, "there is no such folder, and no checkpoint to resume from", "run without --resume");
    }
    lock_.emplace(directory_);
    if (mode == Mode::fresh && !files_of_a_run(directory_).empty()) {
      const bool goes_on = fs::exists(directory_ / checkpoint_name) || fs::exists(directory_ / previous_name);
      throw Error(subject, "holds the files of an earlier run",
                  fmt::format("{}replace it with --overwrite, or choose another output.directory",
                              goes_on ? "continue it with --resume, " : ""));
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(subject, "cannot be used for output: " + error.code().message(),
                "choose another output.directory or its permissions");
  }
}

void RunDirectory::refuse_input(const fs::path& directory, const fs::path& input) {
  std::error_code absent;
  if (input.empty() || !fs::is_directory(directory, absent)) return;
  for (const fs::path& file : files_of_a_run(directory)) {
    if (!fs::equivalent(file, input, absent) || absent) continue;
    throw UsageError("--overwrite", "would remove " + file.string() + ", which the run starts from",
                     "choose another output.directory, or move that file");
  }
}

void RunDirectory::clear() const {
  for (const fs::path& file : left_unfinished(directory_)) take_away(file);
  if (mode_ != Mode::overwrite) return;
  for (const fs::path& file : files_of_a_run(directory_)) take_away(file);
}

Checkpoint newest_checkpoint(const fs::path& directory, std::vector<std::string>& notes) {
  constexpr const char* anew =
      "start from its last snapshot as [input] file in another output.directory, or begin anew with --overwrite";
  const fs::path newest = directory / checkpoint_name, previous = directory / previous_name;
  if (!fs::exists(newest) && !fs::exists(previous)) {
    const bool is_used = !files_of_a_run(directory).empty();
    throw Error(newest.string(), "there is no checkpoint to resume from", is_used ? anew : "run without --resume");
  }
  std::string found;
  for (const fs::path& path : {newest, previous}) {
    try {
      if (!fs::exists(path)) throw Error(path.string(), "is not there");
      Checkpoint checkpoint = hornbeam::read_checkpoint(path);
      static_cast<void>(saved_run(checkpoint, path.string()));
      if (!found.empty()) notes.push_back(fmt::format("{}; resuming from {}", found, path.string()));
      return checkpoint;
    } catch (const Error& damage) {
      found += (found.empty() ? "" : "; ") + std::string(damage.what());
    }
  }
  throw Error(directory.string(), "holds no checkpoint to resume from: " + found, anew);
}

bool RunDirectory::take_stop_file() const {
  std::error_code ignored;
  return fs::remove(directory_ / stop_name, ignored);
}

RunDirectory::KeptRows RunDirectory::open_energies(double last_time, const Units& units, bool thermal) {
  thermal_ = thermal;
  const std::string last = energies_.open(energies_path(), energy_header(units, thermal), last_time, 1);
  if (last.empty()) return {};
  std::vector<std::string> words;
  std::istringstream row(last);
  for (std::string word; std::getline(row, word, ',');) words.push_back(word);
  constexpr std::size_t step = 1, error = 5;  // of energy_header
  return {.wall_seconds = std::strtod(words.back().c_str(), nullptr),
          .relative_error = std::strtod(words[error].c_str(), nullptr),
          .last_step = std::strtoull(words[step].c_str(), nullptr, 10)};
}

void RunDirectory::append(const EnergyRow& row) {
  const Energies& e = row.energies;
  const std::string thermal = thermal_ ? fmt::format(",{}", e.thermal) : "";
  energies_.append(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}{},{:.3f}\n", row.time, row.step, e.kinetic,
                               e.potential, e.total(), row.relative_error, e.momentum[0], e.momentum[1], e.momentum[2],
                               e.angular_momentum[0], e.angular_momentum[1], e.angular_momentum[2], thermal,
                               row.wall_seconds));
}

fs::path RunDirectory::energies_path() const { return directory_ / energy_name; }

fs::path RunDirectory::black_holes_path() const { return directory_ / black_holes_name; }

void RunDirectory::open_black_holes(double last_time, std::size_t count, const Units& units) {
  black_holes_.open(black_holes_path(), black_holes_header(units), last_time, count);
}

void RunDirectory::append_black_hole(double time, std::uint64_t step, std::uint64_t id, const Motion& motion) {
  black_holes_.append(fmt::format("{},{},{},{},{}\n", time, step, id, fmt::join(motion.position, ","),
                                  fmt::join(motion.velocity, ",")));
}

fs::path RunDirectory::ring_path() const { return directory_ / ring_name; }

void RunDirectory::open_ring(double last_time, const Units& units) {
  ring_.open(ring_path(), ring_header(units), last_time, 1);
}

void RunDirectory::append(const RingRow& row) {
  const RingState& s = row.state;
  ring_.append(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.time, row.step, s.bodies, s.optical_depth,
                           fmt::join(s.dispersion, ","), s.filling_factor, s.shear_viscosity, row.collisional_viscosity,
                           row.gravitational_viscosity, s.toomre_q, row.collisions_per_orbit, row.collisions.number,
                           row.collisions.momentum_flux));
}

std::vector<std::string> RunDirectory::write_snapshot(std::size_t index, const Snapshot& snapshot) const {
  std::vector<std::string> losses;
  for (const std::string& format : formats_) {
    const FormatSpec spec = format_named(format);
    const fs::path path = snapshot_path(index, format);
    for (std::string& loss : hornbeam::write_snapshot(path, snapshot, spec, record_)) losses.push_back(std::move(loss));
  }
  return losses;
}

fs::path RunDirectory::snapshot_path(std::size_t index, const std::string& format) const {
  return directory_ / fmt::format("snapshot_{:04}{}", index, io::usual_extension(format));
}

RunDirectory::OutputFiles RunDirectory::files_of_output(std::size_t index, bool with_groups) const {
  std::vector<fs::path> all;
  for (const std::string& format : formats_) all.push_back(snapshot_path(index, format));
  if (with_groups) all.push_back(groups_path(index));
  OutputFiles files;
  for (const fs::path& file : all) {
    (fs::exists(file) ? files.there : files.missing).push_back(file.filename().string());
  }
  return files;
}

bool RunDirectory::remove_output(std::size_t index) const {
  bool removed = false;
  for (const fs::path& file : files_of_a_run(directory_)) {
    const bool is_of_it = file.stem() == snapshot_path(index, "hdf5").stem() || file == groups_path(index);
    if (!is_of_it) continue;
    take_away(file);
    removed = true;
  }
  return removed;
}

fs::path RunDirectory::groups_path(std::size_t index) const {
  return directory_ / fmt::format("groups_{:04}.hdf5", index);
}

std::string RunDirectory::yt_line(std::size_t index, const Units& units) const {
  if (std::find(formats_.begin(), formats_.end(), "hdf5") == formats_.end()) return "";
  return io::yt_load_line(snapshot_path(index, "hdf5"), units);
}

std::string RunDirectory::pynbody_line(std::size_t index, const Units& units) const {
  if (std::find(formats_.begin(), formats_.end(), "hdf5") == formats_.end()) return "";
  return io::pynbody_load_line(snapshot_path(index, "hdf5"), units);
}

bool RunDirectory::has_checkpoint() const { return fs::exists(directory_ / checkpoint_name); }

void RunDirectory::write_checkpoint(const Checkpoint& checkpoint) const {
  const fs::path newest = directory_ / checkpoint_name, previous = directory_ / previous_name;
  // A second name for the one that is there; where the file system knows no such thing, none is kept.
  const fs::path second = directory_ / second_name;
  std::error_code failed;
  fs::remove(second, failed);
  fs::create_hard_link(newest, second, failed);
  if (!failed) fs::rename(second, previous, failed);
  fs::remove(second, failed);  // of two names of one file, as a killed run may leave them, rename() keeps both
  hornbeam::write_checkpoint(newest, checkpoint);
}

void RunDirectory::write_latest(const Snapshot& snapshot) const {
  hornbeam::write_snapshot(directory_ / latest_name, snapshot, format_named("hdf5"), record_);
}

void RunDirectory::write_rungs(const BlockReport& report) const {
  std::string text = "rung,particles,steps,due,particle_interactions,cell_interactions,expansions,wall_seconds\n";
  for (std::size_t rung = 0; rung < report.rungs.size(); ++rung) {
    const RungCost& r = report.rungs[rung];
    text += fmt::format("{},{},{},{},{},{},{},{:.3f}\n", rung, r.particles, r.steps, r.due, r.interactions.particle,
                        r.interactions.cell, r.interactions.expansion, r.seconds);
  }
  io::replace_text(directory_ / rungs_name, text);
}

void RunDirectory::write_summary(const Json& summary) const {
  io::replace_text(directory_ / summary_name, summary.dump(2) + "\n");
}

}  // namespace hornbeam::run
