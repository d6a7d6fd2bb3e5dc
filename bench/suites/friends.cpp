// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench friends`: friends of friends in a periodic cube, uniform and with haloes as simulations of structure
// have them, against N and the linking length.
#include <algorithm>
#include <cmath>
#include <random>

#include "bench/suites/suites.h"
#include "device/devices.h"
#include "interactions/groups/friends.h"

namespace hornbeam::cli {
namespace {

double fraction_of(std::mt19937_64& engine) { return static_cast<double>(engine() >> 11) * 0x1p-53; }

Vec3 anywhere(std::mt19937_64& engine) {
  const double x = fraction_of(engine), y = fraction_of(engine);
  return {x, y, fraction_of(engine)};
}

/// Isothermal (rho ~ r^-2) out to `radius`, in the cube [0, 1)^3.
Vec3 in_halo(std::mt19937_64& engine, const Vec3& centre, double radius) {
  const double r = radius * fraction_of(engine), z = 2 * fraction_of(engine) - 1;
  const double angle = 6.283185307179586 * fraction_of(engine), across = std::sqrt(1 - z * z);
  Vec3 at{centre[0] + r * across * std::cos(angle), centre[1] + r * across * std::sin(angle), centre[2] + r * z};
  for (double& x : at) {
    x -= std::floor(x);
    if (x >= 1) x = 0;
  }
  return at;
}

/// Part of the particles uniform in the cube, the others in haloes 200 times as dense as it in the mean, of which
/// there are as M^-2 from 32 particles to a hundredth of all; in no order that a tree could use.
std::vector<Vec3> in_haloes(std::size_t n, double uniform_part) {
  std::mt19937_64 engine(20260);
  std::vector<Vec3> position;
  position.reserve(n);
  const auto alone = static_cast<std::size_t>(uniform_part * static_cast<double>(n));
  const double least = 32, most = std::max(64.0, static_cast<double>(n) / 100);
  while (position.size() + alone < n) {
    const double members = 1 / (1 / least - fraction_of(engine) * (1 / least - 1 / most));
    const std::size_t count = std::min(static_cast<std::size_t>(members), n - alone - position.size());
    const double radius = std::cbrt(3 * members / (4 * 3.141592653589793 * 200 * static_cast<double>(n)));
    const Vec3 centre = anywhere(engine);
    for (std::size_t k = 0; k < count; ++k) position.push_back(in_halo(engine, centre, radius));
  }
  while (position.size() < n) position.push_back(anywhere(engine));
  std::shuffle(position.begin(), position.end(), engine);
  return position;
}

std::size_t groups_of_32(const std::vector<std::uint32_t>& label) {
  std::vector<std::uint32_t> size(label.size(), 0);
  for (const std::uint32_t of : label) ++size[of];
  return static_cast<std::size_t>(std::count_if(size.begin(), size.end(), [](std::uint32_t s) { return s >= 32; }));
}

/// The median of the repeats, the first of which, with what a device does once, does not count.
Json timed(const std::vector<Vec3>& position, double length, const NeighbourOptions& options, std::int64_t repeat) {
  std::vector<std::array<double, 5>> seconds;
  Friends found;
  for (std::int64_t k = 0; k <= repeat; ++k) {
    found = find_friends(position, length, options);
    if (k > 0) seconds.push_back({found.tree + found.walk, found.tree, found.walk, found.upload, found.download});
  }
  std::sort(seconds.begin(), seconds.end());
  const auto& [total, tree, linking, upload, download] = seconds[seconds.size() / 2];
  return {
      {"n", position.size()},
      {"backend", found.backend},
      {"units", found.units},
      {"groups", groups_of_32(found.label)},
      {"seconds", {{"total", total}, {"tree", tree}, {"linking", linking}, {"upload", upload}, {"download", download}}},
      {"particles_per_second", static_cast<double>(position.size()) / total}};
}

}  // namespace

void bench_friends(Runner& runner, Report& report) {
  report.begin("friends",
               "Friends of friends in a periodic cube; b in mean separations; positions and labels lie on the device",
               {{"backend", "/backend"},
                {"particles", "/model", 12},
                {"N", "/n"},
                {"b", "/fraction"},
                {"groups", "/groups"},
                {"s tree", "/seconds/tree"},
                {"s linking", "/seconds/linking"},
                {"s upload", "/seconds/upload"},
                {"s download", "/seconds/download"},
                {"particles/s", "/particles_per_second", 12}});
  for (const std::size_t n : runner.within({1'000, 100'000, 1'000'000, 4'000'000, 16'000'000, 37'000'000})) {
    for (const auto& [model, uniform_part] :
         {std::pair("uniform", 1.0), std::pair("haloes 60 %", 0.4), std::pair("haloes 95 %", 0.05)}) {
      const std::vector<Vec3> position = in_haloes(n, uniform_part);
      for (const double fraction : {0.168, 0.2, 0.5}) {
        const double length = fraction / std::cbrt(static_cast<double>(n));
        for (const std::string& backend : runner.backends()) {
          NeighbourOptions options;
          options.box_size = 1;
          options.backend = backend;
          options.device = runner.settings().device;
          options.threads = runner.settings().threads;
          Json row = timed(position, length, options, std::max<std::int64_t>(1, runner.settings().repeat));
          row["model"] = model, row["fraction"] = fraction;
          for (const DeviceInfo& info : list_devices()) {
            if (info.backend == backend) report.measured_on(backend, info.device);
          }
          report.add(row);
        }
      }
    }
  }
  report.remark("ArborX FDBSCAN-DenseBox, A100: 37e6 particles of HACC, b = 0.168, in 0.15 s: 247e6 particles/s");
}

}  // namespace hornbeam::cli
