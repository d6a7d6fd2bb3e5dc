// SPDX-License-Identifier: Apache-2.0
// Reading the kernel's files, see room.h. What is not there or cannot be understood sets no bound.
#include "memory/room.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace hornbeam::memory {
namespace {

namespace fs = std::filesystem;

/// Limits from here on are none: cgroup v1 writes 2^63 rounded down to a page.
constexpr double no_limit = 0x1p60;

std::optional<double> number_in(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  if (!(in >> value)) return {};  // "max", too
  return value;
}

/// The sum of the values of those keys in a file of "key value" or "key: value kB" lines; nothing where none is there.
std::optional<double> sum_in(const fs::path& file, const std::vector<std::string>& keys) {
  std::ifstream in(file);
  std::optional<double> sum;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key, unit;
    double value = 0;
    if (!(words >> key >> value)) continue;
    if (key.back() == ':') key.pop_back();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
    words >> unit;
    sum = sum.value_or(0) + value * (unit == "kB" ? 1024 : 1);
  }
  return sum;
}

void take_less(Room& least, Room other) {
  other.bytes = std::max(other.bytes, 0.0);
  if (other.bytes < least.bytes) least = std::move(other);
}

/// A mounted hierarchy of control groups that knows of memory.
struct Hierarchy {
  bool second = false;    ///< version 2
  fs::path shown, mount;  ///< the group that is mounted, and where
};

/// Of each line of /proc/self/mountinfo: id, parent, device, root, mount point, options ..., -, type, source, options.
std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line), after(line.substr(dash + 3));
    std::string skipped, shown, mount, type, source, options;
    before >> skipped >> skipped >> skipped >> shown >> mount;
    after >> type >> source >> options;
    const bool has_memory = ("," + options + ",").find(",memory,") != std::string::npos;
    if (type != "cgroup2" && !(type == "cgroup" && has_memory)) continue;
    found.push_back({type == "cgroup2", shown, root / fs::path(mount).relative_path()});
  }
  return found;
}

/// The process's group in that version, as /proc/self/cgroup names it: "0::/a/b", "4:cpu,memory:/a/b".
std::string group_of(const fs::path& root, bool second) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':'), last = line.find(':', first + 1);
    if (last == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, last - first - 1);
    const bool fits = second ? controllers.empty() : ("," + controllers + ",").find(",memory,") != std::string::npos;
    if (fits) return line.substr(last + 1);
  }
  return "/";
}

/// Where the group lies below the mount; the mount itself where a container does not show it.
fs::path folder_of(const Hierarchy& h, const std::string& group) {
  const fs::path below = fs::path(group).lexically_relative(h.shown.empty() ? "/" : h.shown);
  const bool outside = below.empty() || *below.begin() == "..";
  const fs::path folder = outside || below == "." ? h.mount : h.mount / below;
  std::error_code trouble;
  return fs::is_directory(folder, trouble) ? folder : h.mount;
}

/// Of one group: limit - use, with the cache of files, which is given back before anybody is killed, and what may be
/// swapped out.
Room room_of_group(const fs::path& folder, bool second, double swap) {
  Room room;
  const auto use = number_in(folder / (second ? "memory.current" : "memory.usage_in_bytes"));
  if (!use) return room;
  const std::vector<std::string> cache = second ? std::vector<std::string>{"inactive_file", "active_file"}
                                                : std::vector<std::string>{"total_inactive_file", "total_active_file"};
  const double given_back = sum_in(folder / "memory.stat", cache).value_or(0);
  const std::vector<const char*> names = second ? std::vector<const char*>{"memory.max", "memory.high"}
                                                : std::vector<const char*>{"memory.limit_in_bytes"};
  for (const char* name : names) {
    const auto limit = number_in(folder / name);
    if (!limit || *limit >= no_limit) continue;
    double swapped = swap;
    if (second) {
      const auto most = number_in(folder / "memory.swap.max"), swap_use = number_in(folder / "memory.swap.current");
      if (most) swapped = std::min(swap, *most - swap_use.value_or(0));
    } else if (const auto both = number_in(folder / "memory.memsw.limit_in_bytes")) {
      swapped = std::min(swap, *both - *limit);
    }
    take_less(room,
              {*limit - *use + given_back + std::max(swapped, 0.0),
               "the control group's " + std::string(name) + " = " + shown_bytes(*limit) + " (" + folder.string() + ")",
               "raise that limit: the container's or the batch job's memory"});
  }
  return room;
}

Room room_of_groups(const fs::path& root, double swap) {
  Room least;
  for (const Hierarchy& h : hierarchies(root)) {
    fs::path folder = folder_of(h, group_of(root, h.second));
    for (;; folder = folder.parent_path()) {
      take_less(least, room_of_group(folder, h.second, swap));
      if (folder == h.mount || folder == folder.parent_path()) break;
    }
  }
  return least;
}

constexpr const char* address_space = "ulimit -v (address space)";

/// Bytes; none where there is no limit.
std::optional<double> soft_limit(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return static_cast<double>(limit.rlim_cur);
}

std::string words_of_limit(const char* where, double bytes) {
  return std::string("the limit ") + where + " = " + shown_bytes(bytes);
}

/// /proc/self/statm counts pages: in all, resident, shared, text, library, data.
Room room_of_limit(const fs::path& root, int resource, std::size_t column, const char* where, double reserved) {
  const std::optional<double> most = soft_limit(resource);
  if (!most) return {};
  std::ifstream in(root / "proc/self/statm");
  double pages = 0;
  for (std::size_t i = 0; i <= column && in >> pages; ++i) {
  }
  return {std::max(0.0, *most - reserved - pages * static_cast<double>(sysconf(_SC_PAGE_SIZE))),
          words_of_limit(where, *most), std::string("raise ") + where};
}

}  // namespace

std::string shown_bytes(double bytes) {
  char text[40];
  const bool large = std::abs(bytes) >= 0.9995e9;
  std::snprintf(text, sizeof text, "%.*f %s", large && bytes < 0.9995e11 ? 1 : 0, bytes * (large ? 1e-9 : 1e-6),
                large ? "GB" : "MB");
  return text;
}

std::string address_space_limit() {
  const std::optional<double> most = soft_limit(RLIMIT_AS);
  return most ? words_of_limit(address_space, *most) : "";
}

double stack_bytes() {
  pthread_attr_t usual;
  std::size_t bytes = 0;
  if (pthread_getattr_default_np(&usual) != 0) return 0;
  pthread_attr_getstacksize(&usual, &bytes);
  pthread_attr_destroy(&usual);
  return static_cast<double>(bytes);
}

Room room(const fs::path& root, double reserved) {
  const fs::path meminfo = root / "proc/meminfo";
  const double swap = sum_in(meminfo, {"SwapFree"}).value_or(0);
  Room least;
  if (const auto free = sum_in(meminfo, {"MemAvailable"})) {
    const double all = sum_in(meminfo, {"MemTotal"}).value_or(0);
    take_less(least, {*free + swap, "this machine (" + shown_bytes(all) + ")", "close other programs"});
  }
  take_less(least, room_of_groups(root, swap));
  take_less(least, room_of_limit(root, RLIMIT_AS, 0, address_space, reserved));
  take_less(least, room_of_limit(root, RLIMIT_DATA, 5, "ulimit -d (data)", reserved));
  return least;
}

}  // namespace hornbeam::memory
