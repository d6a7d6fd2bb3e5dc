// SPDX-License-Identifier: Apache-2.0
// Neighbour search beside nanoflann: seconds for tree and queries, counts, lists and k nearest of every particle.
//   bench_neighbours [--backend cpu] [N = 1000000] [neighbours = 32] [repeats = 3] [model ... = uniform-cube plummer]
// A model with `:sorted` after its name stands along the Hilbert curve on input, otherwise in random order.
// Prints one line of comma-separated values a measurement; medians over the repeats, which alternate between the two.
// `cpu` columns are processor time of the whole process: with one thread they hold on a busy machine too. Calls on a
// device include opening it; tasks `... on tree` are searches alone, on one tree that stands, and `tree` is its making.
// nanoflann's lists are dropped after each query, unsorted; Hornbeam's are kept and sorted, as its interface promises.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <limits>
#include <nanoflann.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/suites/shapes.h"
#include "hornbeam/neighbours.h"
#include "interactions/neighbours/search.h"
#include "physics/curve.h"

namespace {

using hornbeam::Vec3;

struct Cloud {
  const std::vector<Vec3>& x;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return x.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t axis) const { return x[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

using KdTree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, std::uint32_t>;

/// nanoflann's result set for a radius; it asks for distances below worstDist().
struct WithinRadius {
  double limit;
  std::vector<std::uint32_t>* index;  ///< null: only the number
  std::vector<double>* distance2;
  std::size_t found = 0;

  [[nodiscard]] std::size_t size() const { return found; }
  [[nodiscard]] bool empty() const { return found == 0; }
  [[nodiscard]] bool full() const { return true; }
  [[nodiscard]] double worstDist() const { return limit; }
  void sort() {}
  bool addPoint(double d2, std::uint32_t i) {
    if (index != nullptr) {
      index->push_back(i);
      distance2->push_back(d2);
    }
    ++found;
    return true;
  }
};

enum class Task { counts, lists, nearest };

/// Sum of all neighbours' numbers: both must find as many.
std::uint64_t run_nanoflann(const std::vector<Vec3>& x, Task task, double radius, int k, int threads) {
  const Cloud cloud{x};
  const KdTree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const double limit = std::nextafter(radius * radius, std::numeric_limits<double>::infinity());
  std::uint64_t found = 0;
#pragma omp parallel num_threads(threads) reduction(+ : found)
  {
    std::vector<std::uint32_t> index(static_cast<std::size_t>(k) + 1);
    std::vector<double> distance2(index.size());
#pragma omp for schedule(dynamic, 1024)
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (task == Task::nearest) {
        found += tree.knnSearch(x[i].data(), index.size(), index.data(), distance2.data()) - 1;
        continue;
      }
      index.clear();
      distance2.clear();
      const bool only_count = task == Task::counts;
      WithinRadius result{limit, only_count ? nullptr : &index, only_count ? nullptr : &distance2};
      found += tree.radiusSearchCustomCallback(x[i].data(), result) - 1;
    }
  }
  return found;
}

std::uint64_t total(const std::vector<std::uint32_t>& counts) {
  std::uint64_t sum = 0;
  for (const std::uint32_t c : counts) sum += c;
  return sum;
}

std::uint64_t run_hornbeam(const std::vector<Vec3>& x, Task task, double radius, int k,
                           const hornbeam::NeighbourOptions& options) {
  if (task == Task::counts) return total(hornbeam::count_within(x, radius, options));
  if (task == Task::lists) return hornbeam::neighbours_within(x, radius, options).index.size();
  return hornbeam::nearest_neighbours(x, k, options).index.size();
}

/// `name` or `name:sorted`.
std::vector<Vec3> positions(const std::string& model, std::size_t n) {
  using namespace hornbeam::cli;
  const std::size_t colon = model.find(':');
  hornbeam::Particles particles = draw_shape(model.substr(0, colon), n);
  put_in_order(particles, colon == std::string::npos ? InputOrder::as_made : InputOrder::sorted);
  return particles.position;
}

/// The radius within which particles have `k` neighbours on average, to 1 %.
double radius_for(const std::vector<Vec3>& x, int k) {
  const double wanted = static_cast<double>(k) * static_cast<double>(x.size());
  double low = 0, high = 1e-6;
  while (static_cast<double>(total(hornbeam::count_within(x, high))) < wanted) low = high, high *= 2;
  double middle = high;
  for (int round = 0; round < 12; ++round) {
    middle = (low + high) / 2;
    const auto found = static_cast<double>(total(hornbeam::count_within(x, middle)));
    if (std::abs(found - wanted) < 0.01 * wanted) break;
    (found < wanted ? low : high) = middle;
  }
  return middle;
}

struct Timings {
  std::vector<double> wall, cpu;

  /// Runs and returns what was found.
  template <class Run>
  std::uint64_t add(Run run) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    const std::uint64_t found = run();
    cpu.push_back(static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return found;
  }
};

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

constexpr const char* task_names[] = {"counts", "lists", "nearest"};

void print(const std::string& model, std::size_t n, const hornbeam::NeighbourOptions& options, const std::string& task,
           std::uint64_t found, const Timings& ours, const Timings* theirs) {
  std::cout << model << ',' << n << ',' << options.backend << ',' << options.threads << ',' << task << ','
            << static_cast<double>(found) / static_cast<double>(n) << ',' << median(ours.wall) << ','
            << (theirs ? std::to_string(median(theirs->wall)) : "") << ',' << median(ours.cpu) << ','
            << (theirs ? std::to_string(median(theirs->cpu)) : "") << std::endl;
}

/// Whole calls next to nanoflann; false where the two disagree.
bool measure(const std::string& model, const std::vector<Vec3>& x, double radius, int k, int repeats,
             const hornbeam::NeighbourOptions& options) {
  bool agree = true;
  for (const Task task : {Task::counts, Task::lists, Task::nearest}) {
    Timings ours, theirs;
    std::uint64_t found = 0, expected = 0;
    for (int r = 0; r < repeats; ++r) {
      found = ours.add([&] { return run_hornbeam(x, task, radius, k, options); });
      expected = theirs.add([&] { return run_nanoflann(x, task, radius, k, options.threads); });
      agree = agree && found == expected;
    }
    print(model, x.size(), options, task_names[static_cast<int>(task)], found, ours, &theirs);
  }
  return agree;
}

void measure_parts(const std::string& model, const std::vector<Vec3>& x, double radius, int k, int repeats,
                   const hornbeam::NeighbourOptions& options) {
  Timings making, searches[3];
  std::uint64_t found[3] = {};
  for (int r = 0; r < repeats; ++r) {
    std::optional<hornbeam::NeighbourTree> tree;
    making.add([&] {
      tree.emplace(x, options);
      return std::uint64_t{0};
    });
    found[0] = searches[0].add([&] { return total(tree->count_within(radius)); });
    found[1] = searches[1].add([&] { return tree->within(radius).index.size(); });
    found[2] = searches[2].add([&] { return tree->nearest(k).index.size(); });
  }
  print(model, x.size(), options, "tree", 0, making, nullptr);
  for (int task = 0; task < 3; ++task) {
    print(model, x.size(), options, std::string(task_names[task]) + " on tree", found[task], searches[task], nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  hornbeam::NeighbourOptions options;
  if (argc > 2 && std::string(argv[1]) == "--backend") {
    options.backend = argv[2];
    argc -= 2, argv += 2;
  }
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::stoi(argv[i]) : otherwise; };
  const int n = argument(1, 1000000), k = argument(2, 32), repeats = argument(3, 3);
  std::vector<std::string> models(argv + std::min(argc, 4), argv + argc);
  if (models.empty()) models = {"uniform-cube", "plummer"};
  std::cout << "model,n,backend,threads,task,neighbours,hornbeam_seconds,nanoflann_seconds,hornbeam_cpu,nanoflann_cpu"
            << std::endl;
  bool agree = true;
  for (const std::string& model : models) {
    const std::vector<Vec3> x = positions(model, static_cast<std::size_t>(n));
    const double radius = radius_for(x, k);
    const int most = omp_get_num_procs();  // a device has no use for more or fewer
    for (options.threads = options.backend == "cpu" ? 1 : most; options.threads <= most; options.threads *= 2) {
      agree = measure(model, x, radius, k, repeats, options) && agree;
      measure_parts(model, x, radius, k, repeats, options);
    }
  }
  if (!agree) std::cerr << "bench_neighbours: error: the two found different numbers of neighbours\n";
  return agree ? 0 : 1;
}
