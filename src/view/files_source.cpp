// SPDX-License-Identifier: Apache-2.0
// Reads what is requested and keeps the last frames, see files_source.h.
#include "view/files_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/render.h"
#include "io/files/file.h"
#include "view/history.h"

namespace hornbeam::view {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_kept = 256U << 20;  ///< bytes of frames: some ten of a million particles

constexpr std::size_t beside_arrays = 8192;  ///< bytes of what a frame says, about

/// Seconds by stage of a run that has ended; null before.
/// The summary of a run that has ended; an empty object without one that can be read.
Json summary_of(const fs::path& summary) {
  std::error_code none;
  if (!fs::is_regular_file(summary, none)) return Json::object();
  Json json = Json::parse(io::read_text(summary), nullptr, false);
  return json.is_object() ? json : Json::object();
}

/// Whether changes of the energy are errors; also of runs that have not ended, which do not tell.
bool keeps_energy(const Json& summary) {
  const auto totals = summary.find("totals");
  if (totals == summary.end() || !totals->is_object()) return true;
  const auto kept = totals->find("keeps_energy");
  return kept == totals->end() || *kept != false;
}

}  // namespace

FilesSource::FilesSource(fs::path path, std::size_t most, Reader reader)
    : path_(std::move(path)), is_folder_(fs::is_directory(path_)), most_(most), reader_(std::move(reader)) {
  if (!fs::exists(path_)) throw Error(path_.string(), "does not exist", "give a snapshot or a folder of them");
}

std::vector<fs::path> FilesSource::files() const {
  return is_folder_ ? render::snapshot_files(path_) : std::vector{path_};
}

Json FilesSource::state() {
  Json json = {{"title", path_.string()}, {"live", false}, {"names", Json::array()}, {"message", ""}};
  try {
    for (const fs::path& file : files()) json["names"].push_back(file.filename().string());
  } catch (const Error& error) {
    json["message"] = error.what();
  }
  return json;
}

std::optional<FrameFound> FilesSource::frame(const FrameWish& wish) {
  const std::vector<fs::path> all = files();
  const std::size_t index = wish.index.value_or(all.size() - 1);
  if (index >= all.size()) {
    throw UsageError("index", fmt::format("received {}", index), fmt::format("must be from 0 to {}", all.size() - 1));
  }
  return FrameFound{frame_of(all[index], wish.colour),
                    {{"index", index}, {"of", all.size()}, {"name", all[index].filename().string()}}};
}

std::shared_ptr<const Frame> FilesSource::frame_of(const fs::path& file, const std::string& colour) {
  const std::scoped_lock lock(mutex_);
  std::error_code trouble;
  const fs::file_time_type written = fs::last_write_time(file, trouble);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
    return k.file == file && k.written == written && k.frame->shows(colour);
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().frame;
  }
  auto frame = std::make_shared<const Frame>(make_frame(reader_(file), colour, most_));
  keep({file, written, frame, frame->bytes() + beside_arrays});
  return frame;
}

void FilesSource::keep(Kept made) {
  kept_.push_front(std::move(made));
  std::size_t sum = 0;
  for (auto each = kept_.begin(); each != kept_.end();) {
    sum += each->bytes;
    each = sum > most_kept && each != kept_.begin() ? kept_.erase(each) : std::next(each);
  }
}

Json FilesSource::energy() {
  const std::optional<EnergyHistory> history =
      is_folder_ ? read_energies(path_ / "energy.csv") : std::optional<EnergyHistory>();
  Json json = history.value_or(EnergyHistory()).json();
  const Json summary = is_folder_ ? summary_of(path_ / "run.json") : Json::object();
  json["kept"] = keeps_energy(summary);
  json["seconds"] = summary.contains("seconds") ? summary["seconds"] : Json();
  return json;
}

void FilesSource::control(Control /*what*/) {
  throw UsageError("view", "shows files, which cannot be paused", "a simulation in Python can: sim.serve()");
}

}  // namespace hornbeam::view
