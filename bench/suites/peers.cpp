// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench peers`: whole force evaluations compared with the time that other codes need at the same errors.
#include <algorithm>
#include <set>

#include "bench/suites/bonsai_figures.h"
#include "bench/suites/suites.h"

namespace hornbeam::cli {
namespace {

/// Settings whose errors are those of Bonsai at 0.5 or 0.75 on an H200 (bonsai_figures.h).
struct GpuRow {
  const char* model;
  int log2_n;
  Mac mac;
  double theta, theta_c;
  int expansion, leaf_size;
  double bonsai_theta;  ///< 0: no figures
  [[nodiscard]] std::size_t n() const { return std::size_t{1} << log2_n; }
};
constexpr GpuRow gpu_rows[] = {
    {"plummer", 20, Mac::offset, 1.25, 0.83, 4, 24, 0.75},      {"plummer", 20, Mac::offset, 0.8, 0.4, 4, 24, 0.5},
    {"plummer", 22, Mac::offset, 1.9, 0.87, 4, 36, 0.75},       {"plummer", 22, Mac::offset, 0.8, 0.42, 4, 24, 0.5},
    {"plummer", 24, Mac::offset, 1.7, 0.92, 4, 32, 0.75},       {"plummer", 24, Mac::offset, 0.8, 0.48, 4, 24, 0.5},
    {"plummer", 24, Mac::offset, 0.95, 0.95, 0, 24, 0.75},      {"plummer", 24, Mac::offset, 0.6, 0.6, 0, 24, 0.5},
    {"plummer", 26, Mac::offset, 1.6, 0.9, 4, 24, 0.75},        {"plummer", 26, Mac::offset, 0.8, 0.48, 4, 24, 0.5},
    {"uniform-cube", 24, Mac::offset, 1.35, 0.88, 4, 32, 0.75}, {"uniform-cube", 24, Mac::offset, 0.7, 0.5, 4, 24, 0.5},
    {"plummer", 24, Mac::offset, 0.6, 0.6, 4, 24, 0},           {"plummer", 20, Mac::relative, 0.58, 0.84, 4, 32, 0.75},
    {"plummer", 20, Mac::relative, 0.28, 0.5, 4, 24, 0.5},      {"plummer", 22, Mac::relative, 0.29, 0.54, 4, 24, 0.5},
    {"plummer", 24, Mac::relative, 0.33, 0.6, 4, 24, 0.5},      {"plummer", 24, Mac::relative, 0.65, 0.65, 0, 24, 0.75},
    {"plummer", 24, Mac::relative, 0.33, 0.33, 0, 24, 0.5},     {"plummer", 26, Mac::relative, 0.33, 0.6, 4, 24, 0.5},
};

/// Plummer, 2 cores of an AMD EPYC with AVX-512, g++ 12.2: the fastest settings found of each code.
struct CpuRow {
  std::size_t n;
  double theta, theta_c;  ///< theta_c negative: as theta
  int expansion, leaf_size, threads;
  const char* peer;
  double seconds, median, p99;
};
constexpr std::size_t million = 1000000;
constexpr CpuRow cpu_rows[] = {
    {million, 0.9, 0.9, 4, 24, 0, "FDPS + PIKG, quadrupoles, 0.75", 0.585, 7.5e-4, 2.9e-3},
    {million, 0.8, 0.59, 4, 24, 0, "FDPS + PIKG, monopoles, 0.5", 0.55, 2.0e-4, 9.9e-4},
    {million, 0.5, -1, 4, 0, 0, "FDPS + PIKG, quadrupoles, 0.5", 1.14, 1.1e-4, 3.9e-4},
    {million, 0.4, -1, 4, 0, 0, "FDPS + PIKG, quadrupoles, 0.4", 1.58, 5.7e-5, 1.9e-4},
    {million, 0.35, -1, 5, 0, 0, "exafmm-t, fp32, P 6", 1.69, 3.3e-5, 3.6e-4},
    {million, 1.0, 1.0, 4, 0, 0, "FDPS + PIKG, monopoles, 0.75", 0.36, 1.2e-3, 4.8e-3},
    {million, 0.6, -1, 4, 0, 0, nullptr, 0, 0, 0},
    {million, 0.6, -1, 4, 0, 1, nullptr, 0, 0, 0},
    {10000, 0.6, -1, 4, 0, 0, nullptr, 0, 0, 0},
    {100000, 0.6, -1, 4, 0, 0, nullptr, 0, 0, 0},
    {10 * million, 0.6, -1, 4, 0, 0, nullptr, 0, 0, 0},
};

const std::vector<Column> peer_columns = {{"particles", "/model", 14},     {"N", "/n"},
                                          {"criterion", "/mac", 10},       {"theta", "/theta"},
                                          {"theta_c", "/theta_c"},         {"expansion", "/expansion"},
                                          {"s", "/seconds/total"},         {"particles/s", "/particles_per_second"},
                                          {"median", "/error/acc_median"}, {"99 %", "/error/acc_p99"},
                                          {"peer part./s", "/paper/rate"}, {"median", "/paper/acc_median"},
                                          {"99 %", "/paper/acc_p99"},      {"times", "/times_faster"},
                                          {"peer", "/paper/code", 30}};

/// The different sizes of a table's rows, ascending.
template <class Rows, class Size>
std::vector<std::size_t> sizes_of(const Rows& rows, Size size) {
  std::set<std::size_t> sizes;
  for (const auto& row : rows) sizes.insert(size(row));
  return {sizes.begin(), sizes.end()};
}

/// Adds the row with our rate over the peer's.
void run_beside(Runner& runner, Report& report, Case c) {
  c.errors = true;
  auto row = runner.measure(c);
  if (!row) return;
  if (row->contains("paper") && (*row)["n"] == (*row)["paper"]["n"]) {
    (*row)["times_faster"] = (*row)["particles_per_second"].get<double>() / (*row)["paper"]["rate"].get<double>();
  }
  report.add(*row);
}

void gpu(Runner& runner, Report& report) {
  report.begin("gpu", "On a GPU: beside Bonsai on an NVIDIA H200 at 0.5 and 0.75", peer_columns);
  const std::vector<std::size_t> kept = runner.within(sizes_of(gpu_rows, [](const GpuRow& row) { return row.n(); }));
  for (const GpuRow& row : gpu_rows) {
    const std::size_t n = row.n();
    if (std::find(kept.begin(), kept.end(), n) == kept.end()) continue;
    Case c{.model = row.model, .n = n};
    c.gravity.mac = row.mac;
    c.gravity.theta = row.theta;
    c.gravity.theta_c = row.theta_c;
    c.gravity.expansion = row.expansion;
    c.gravity.leaf_size = row.leaf_size;
    c.gravity.eps = 1e-4;
    for (const bonsai::H200Row& peer : bonsai::h200) {
      if (peer.model != std::string(row.model) || peer.log2_n != row.log2_n || peer.theta != row.bonsai_theta) continue;
      c.paper = Json{{"code", peer.theta == 0.5 ? "Bonsai, 0.5" : "Bonsai, 0.75"},
                     {"n", n},
                     {"rate", peer.rate * 1e6},
                     {"acc_median", peer.median},
                     {"acc_p99", peer.p99}};
    }
    run_beside(runner, report, std::move(c));
  }
}

void cpu(Runner& runner, Report& report) {
  report.begin("cpu", "On a CPU: beside others on 2 cores of an AMD EPYC with AVX-512", peer_columns);
  const std::vector<std::size_t> kept = runner.within(sizes_of(cpu_rows, [](const CpuRow& row) { return row.n; }));
  for (const CpuRow& row : cpu_rows) {
    if (std::find(kept.begin(), kept.end(), row.n) == kept.end()) continue;
    Case c{.model = "plummer", .n = row.n, .backend = "cpu"};
    if (row.threads > 0) c.threads = row.threads;
    c.gravity.theta = row.theta;
    c.gravity.theta_c = row.theta_c;
    c.gravity.expansion = row.expansion;
    c.gravity.leaf_size = row.leaf_size;
    c.gravity.eps = 0;
    if (row.peer != nullptr) {
      c.paper = Json{{"code", row.peer},
                     {"n", row.n},
                     {"rate", static_cast<double>(row.n) / row.seconds},
                     {"acc_median", row.median},
                     {"acc_p99", row.p99}};
    }
    run_beside(runner, report, std::move(c));
  }
}

}  // namespace

void bench_peers(Runner& runner, Report& report) {
  if (runner.backend() == "cpu") {
    cpu(runner, report);
  } else {
    gpu(runner, report);
  }
}

}  // namespace hornbeam::cli
