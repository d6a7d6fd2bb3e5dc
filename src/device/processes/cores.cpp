// SPDX-License-Identifier: Apache-2.0
// Lists of cores, see cores.h.
#include "device/processes/cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace hornbeam::processes {
namespace {

constexpr int most_cores = CPU_SETSIZE;

/// The number at `text`, behind which it goes on; -1: none.
int take_number(const char*& text, const char* end) {
  int number = -1;
  const auto [stopped, error] = std::from_chars(text, end, number);
  text = stopped;
  return error == std::errc() && number < most_cores ? number : -1;
}

}  // namespace

std::vector<int> cores_of(const std::string& list) {
  std::vector<int> cores;
  const char *at = list.data(), *const end = at + list.find_last_not_of(" \n") + 1;
  while (at != end) {
    const int first = take_number(at, end);
    int last = first;
    if (at != end && *at == '-') last = take_number(++at, end);
    if (first < 0 || last < first || (at != end && *at != ',')) return {};
    for (int core = first; core <= last; ++core) cores.push_back(core);
    if (at != end && ++at == end) return {};
  }
  return cores;
}

void stay_near(const std::string& list) {
  cpu_set_t now, wanted;
  CPU_ZERO(&wanted);
  if (sched_getaffinity(0, sizeof now, &now) != 0) return;
  if (CPU_COUNT(&now) < sysconf(_SC_NPROCESSORS_ONLN)) return;
  for (const int core : cores_of(list)) {
    if (CPU_ISSET(core, &now)) CPU_SET(core, &wanted);
  }
  if (CPU_COUNT(&wanted) > 0) sched_setaffinity(0, sizeof wanted, &wanted);
}

}  // namespace hornbeam::processes
