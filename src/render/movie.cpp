// SPDX-License-Identifier: Apache-2.0
// Many snapshots as a movie or a contact sheet: one camera and one brightness for all, then one picture after another.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "hornbeam/error.h"
#include "io/files/file.h"
#include "io/files/program.h"
#include "render/camera.h"
#include "render/ffmpeg.h"
#include "render/field.h"

namespace hornbeam::render {
namespace {

namespace fs = std::filesystem;

struct Setting {
  Camera camera;
  Brightness brightness{};
  Options options;  ///< with the ends of a field's colours
};

/// Ends of colours that hold those of all pictures, as far as they were not given.
class CommonRange {
 public:
  explicit CommonRange(const Options& options) : options_(options) {}

  void add(const Snapshot& snapshot, const Camera& camera) {
    const auto [low, high] = field_range(field_map(snapshot, options_, camera), options_);
    range_ = any_ ? std::array{std::min(range_[0], low), std::max(range_[1], high)} : std::array{low, high};
    any_ = true;
  }
  [[nodiscard]] Field field() const {
    Field field = *options_.field;
    const double least = range_[1] * std::pow(10.0, -options_.decades);
    field.low = field.low.value_or(is_logarithmic(field) ? std::max(range_[0], least) : range_[0]);
    field.high = field.high.value_or(range_[1]);
    return field;
  }

 private:
  const Options& options_;
  std::array<double, 2> range_{};
  bool any_ = false;
};

/// A camera that covers the visible matter of all snapshots, and for each family the brightness of the densest.
/// Two readings of each snapshot, rather than all of them in memory.
Setting common_setting(const std::vector<fs::path>& files, const Loader& load, const Options& asked) {
  Setting setting;
  Options& options = setting.options = asked;
  bool any = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Snapshot snapshot = load(files[i]);
    if (i == 0) options = settled(asked, snapshot);
    const Particles& particles = snapshot.particles;
    any |= shows_any(particles, options);
    if (!any && i + 1 == files.size()) refuse_absent_families(particles, options, files[i].string());
    const Camera camera = frame(snapshot, options);
    setting.camera = i == 0 ? camera : covering(setting.camera, camera, options);
  }
  // Brightness changes slowly: a few snapshots show it.
  const std::size_t stride = 1 + files.size() / 8;
  CommonRange range(options);
  for (std::size_t i = 0; i < files.size(); i += stride) {
    const Snapshot snapshot = load(files[i]);
    if (options.field) range.add(snapshot, setting.camera);
    if (options.field || as_spheres(snapshot, options)) continue;  // they are as bright as their light
    const Brightness one = exposure(snapshot.particles, options, setting.camera);
    for (int f = 0; f < family_count; ++f) setting.brightness[f] = std::max(setting.brightness[f], one[f]);
  }
  if (options.field) options.field = range.field();
  return setting;
}

constexpr std::size_t most_on_sheet = 30;

/// All snapshots, or as many evenly spread, on a sheet about as large as one picture of the movie.
Image sheet_of(const std::vector<fs::path>& files, const Loader& load, const Setting& setting) {
  const std::size_t count = std::min(most_on_sheet, files.size());
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  Options small = setting.options;
  small.width = std::max(16, small.width / columns);
  small.height = std::max(16, small.height / columns);
  std::vector<Image> pictures;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t file = count == 1 ? 0 : i * (files.size() - 1) / (count - 1);
    pictures.push_back(draw(load(files[file]), small, setting.camera, setting.brightness));
  }
  return contact_sheet(pictures, columns);
}

std::string what_sheet_shows(std::size_t snapshots) {
  if (snapshots <= most_on_sheet) return "all " + std::to_string(snapshots) + " snapshots";
  return std::to_string(most_on_sheet) + " of " + std::to_string(snapshots) + " snapshots, evenly spread";
}

/// As asked; else 24, but a movie of few frames is shown slowly enough to be looked at.
std::string frame_rate(const std::optional<int>& asked, std::size_t frames) {
  constexpr std::size_t usual = 24, least_seconds = 5;
  if (asked) return std::to_string(*asked);
  if (frames >= usual * least_seconds) return std::to_string(usual);
  return std::to_string(frames) + "/" + std::to_string(least_seconds);
}

constexpr std::string_view prefix = "snapshot_";

/// A file named snapshot_NUMBER.EXTENSION; sorts by the number, of which 10000 comes after 9999, then by name.
struct NumberedFile {
  explicit NumberedFile(fs::path file) : path(std::move(file)) {
    const std::string name = path.filename().string().substr(prefix.size());
    std::from_chars(name.data(), name.data() + name.size(), number);
  }
  bool operator<(const NumberedFile& other) const {
    return number != other.number ? number < other.number : path < other.path;
  }

  fs::path path;
  std::uint64_t number = std::numeric_limits<std::uint64_t>::max();
};

/// Removes the pictures of a movie, and their folder if it holds nothing else.
void remove_frames(const FrameSequence& frames) {
  std::error_code none;
  for (std::size_t i = 0; i < frames.count; ++i) fs::remove(frames.folder / frame_name(i), none);
  fs::remove(frames.folder, none);
}

}  // namespace

std::vector<fs::path> snapshot_files(const fs::path& directory) {
  std::vector<NumberedFile> all, hdf5;
  std::error_code trouble;
  for (const auto& entry : fs::directory_iterator(directory, trouble)) {
    const fs::path& path = entry.path();
    if (!path.filename().string().starts_with(prefix) || path.extension() == ".param") continue;
    all.emplace_back(path);
    if (path.extension() == ".hdf5") hdf5.emplace_back(path);
  }
  if (trouble) throw Error(directory.string(), "cannot be listed: " + trouble.message());
  if (all.empty()) throw Error(directory.string(), "has no files named snapshot_*");
  std::vector<NumberedFile>& chosen = hdf5.empty() ? all : hdf5;
  std::sort(chosen.begin(), chosen.end());
  std::vector<fs::path> files;
  for (const NumberedFile& file : chosen) {
    if (files.empty() || files.back().stem() != file.path.stem()) files.push_back(file.path);
  }
  return files;
}

std::string movie(const std::vector<fs::path>& snapshots, const fs::path& output, const Loader& load,
                  const Options& options, const MovieOptions& how,
                  const std::function<void(std::size_t, std::size_t)>& progress) {
  validate(options);
  if (how.frames_per_second && *how.frames_per_second < 1) {
    throw UsageError("frames per second", "received " + std::to_string(*how.frames_per_second), "must be 1 or more");
  }
  if (snapshots.empty()) throw UsageError(output.string(), "received no snapshots");
  const fs::path stem = fs::path(output).replace_extension();
  const fs::path sheet = stem.string() + "_sheet.png";  // a picture may have the movie's name
  for (const fs::path& written : {output, sheet}) io::refuse_same_file(written, snapshots);
  refuse_unknown_movie(output);
  const Setting setting = common_setting(snapshots, load, options);
  const FrameSequence frames{stem.string() + "_frames", snapshots.size(),
                             frame_rate(how.frames_per_second, snapshots.size())};
  std::error_code trouble;
  fs::create_directories(frames.folder, trouble);
  if (trouble) throw Error(frames.folder.string(), "cannot be created: " + trouble.message());
  // the rest of a longer movie of this name would be taken for a part of this one
  for (std::size_t i = frames.count; fs::remove(frames.folder / frame_name(i), trouble); ++i) continue;
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    write_png(frames.folder / frame_name(i),
              draw(load(snapshots[i]), setting.options, setting.camera, setting.brightness));
    if (progress) progress(i + 1, snapshots.size());
  }
  if (const auto ffmpeg = how.ffmpeg ? how.ffmpeg : io::find_program("ffmpeg")) {
    encode(*ffmpeg, frames, output);
    if (!how.keep_frames) remove_frames(frames);
    return "wrote " + output.string() + " (" + std::to_string(frames.count) + " frames)";
  }
  write_png(sheet, sheet_of(snapshots, load, setting));
  return "ffmpeg was not found on PATH: wrote the contact sheet " + sheet.string() + " (" +
         what_sheet_shows(snapshots.size()) +
         ") instead of a movie (install ffmpeg, or `pip install imageio-ffmpeg`); the frames are in " +
         frames.folder.string();
}

}  // namespace hornbeam::render
