// SPDX-License-Identifier: Apache-2.0
// Files of one snapshot, see parts.h.
#include "io/parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "core/fields.h"
#include "hornbeam/error.h"
#include "io/files/file.h"
#include "io/lacking.h"
#include "io/layout.h"

namespace hornbeam::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> endings{".hdf5", ".h5", ""};

/// "snap_007", 3 and ".hdf5" of snap_007.3.hdf5.
struct PartName {
  std::string stem, ending;
  std::uint64_t number = 0;
};

std::optional<PartName> part_name(const fs::path& path) {
  std::string name = path.filename().string();
  PartName part;
  for (const std::string_view ending : endings) {
    if (!ending.empty() && !name.ends_with(ending)) continue;
    part.ending = ending;
    break;
  }
  name.resize(name.size() - part.ending.size());
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + name.size(), part.number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  part.stem = name.substr(0, dot);
  return part;
}

fs::path named(const fs::path& folder, const PartName& part, std::uint64_t number) {
  return folder / (part.stem + "." + std::to_string(number) + part.ending);
}

bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

[[noreturn]] void refuse_folder(const fs::path& path, const std::string& what, const std::string& remedy) {
  throw Error(path.string(), "is a " + what + " folder, which is not read", remedy);
}

/// Names the formats that are folders.
void refuse_known_folders(const fs::path& path) {
  const auto holds = [&path](const char* name) {
    std::error_code unknown;
    return fs::exists(path / name, unknown);
  };
  if (holds(".zgroup") || holds(".zarray") || holds("zarr.json")) {
    refuse_folder(path, "Zarr", "write its arrays with numpy.savez, as a file NAME.npz with pos, vel and mass");
  }
  const bool nchilada = holds("description.xml") || holds("gas/position") || holds("dark/position") ||
                        holds("star/position") || holds("gas/pos") || holds("dark/pos") || holds("star/pos");
  if (nchilada) {
    refuse_folder(path, "Nchilada",
                  "write it as Tipsy: s = pynbody.load(...); s.write(fmt=pynbody.tipsy.TipsySnap, "
                  "filename=\"NAME.tipsy\")");
  }
}

/// The first part in a folder that holds the parts of one snapshot.
std::optional<fs::path> first_in(const fs::path& folder) {
  std::set<fs::path> firsts;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::optional<PartName> part = part_name(entry->path());
    if (part && part->number == 0 && is_file(entry->path())) firsts.insert(entry->path());
  }
  if (firsts.size() > 1) {
    throw Error(folder.string(), "is a folder with several snapshots in parts",
                "give one, such as " + firsts.begin()->string());
  }
  return firsts.empty() ? std::nullopt : std::optional(*firsts.begin());
}

void add_new(std::vector<std::string>& to, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (std::find(to.begin(), to.end(), note) == to.end()) to.push_back(note);
  }
}

/// Masses of parts that lack them are 1 over the particles of all.
void assume_of_all(Snapshot& snapshot) {
  const auto about = [](const std::string& note) { return note.starts_with(no_masses); };
  if (std::erase_if(snapshot.notes, about) > 0) assume(snapshot, row_of(&Particles::mass));
}

}  // namespace

fs::path file_of(const fs::path& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) {
    refuse_known_folders(path);
    return first_in(path).value_or(path);
  }
  if (fs::exists(path, unknown)) return path;
  for (const std::string_view ending : endings) {
    fs::path base = path;
    if (!ending.empty() && path.extension() == ending) base.replace_extension();
    fs::path first = base.string() + ".0" + std::string(ending);
    if (is_file(first)) return first;
  }
  return path;
}

std::vector<fs::path> parts_of(const fs::path& path, std::uint64_t files) {
  const std::optional<PartName> part = part_name(path);
  const std::string all = "is one of " + std::to_string(files) + " files of a snapshot";
  if (!part || part->number >= files) {
    throw Error(path.string(), all + ", and its name does not show the names of the others",
                "name them NAME.0" + path.extension().string() + ", NAME.1" + path.extension().string() + " and so on");
  }
  std::vector<fs::path> found;
  for (std::uint64_t k = 0; k < files; ++k) {
    found.push_back(named(path.parent_path(), *part, k));
    if (!is_file(found.back())) throw Error(path.string(), all + ", and " + found.back().string() + " is missing");
  }
  return found;
}

std::uint64_t size_with_parts(const fs::path& path) {
  std::uint64_t size = regular_file_size(path);
  PartName part = part_name(path).value_or(PartName{});
  if (part.stem.empty()) {  // a virtual file over parts, or an index with links
    part = {path.stem().string(), path.extension().string()};
  }
  constexpr std::uint64_t most = 100'000;
  for (std::uint64_t k = 0; k < most; ++k) {
    const fs::path other = named(path.parent_path(), part, k);
    if (!is_file(other)) break;
    if (other != path) size += regular_file_size(other);
  }
  return size;
}

Snapshot read_parts(const std::vector<fs::path>& parts, std::uint64_t total,
                    const std::function<Snapshot(const fs::path&)>& read) {
  Snapshot all;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Snapshot next = read(parts[k]);
    if (k == 0) {
      all = std::move(next);
      continue;
    }
    if (next.time != all.time) {
      throw Error(parts[k].string(), "has time " + std::to_string(next.time) + ", and part 0 has " +
                                         std::to_string(all.time) + ": they belong to two snapshots");
    }
    all.particles.append(next.particles);
    add_new(all.notes, next.notes);
    if (!all.has_units && next.has_units) all.units = next.units, all.has_units = true;
    if (!all.gas) all.gas = next.gas;
  }
  if (total > 0 && total != all.particles.size()) {
    throw Error(parts.front().string(), "belongs to a snapshot of " + std::to_string(total) + " particles, but its " +
                                            std::to_string(parts.size()) + " files have " +
                                            std::to_string(all.particles.size()));
  }
  const FamilyOrder order = group_by_family(all.particles);
  if (is_reordered(order)) all.particles = selected(all.particles, order.index);
  assume_of_all(all);
  all.notes.insert(all.notes.begin(), "a snapshot in " + std::to_string(parts.size()) + " files, read as one");
  return all;
}

}  // namespace hornbeam::io
