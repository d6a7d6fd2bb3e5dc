// SPDX-License-Identifier: Apache-2.0
// The walk from cell to cell on a device, see device_hierarchy.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/device_hierarchy.h"

#include <algorithm>

#include "interactions/gravity/evaluation.h"
#include "tree/device/device_tree.h"

HB_OPEN
namespace {

/// Cells of more than one part of all particles in so many are no sinks.
constexpr i32 parts_of_all = 64;
/// Entries of lists for a particle that there is room for at first: the higher the order, the smaller the errors.
constexpr i32 usual_entries(i32 order) { return 20 << (order - HB_LEAST_TRANSFER); }
/// Pieces that the lists of a sink begin with.
constexpr i32 own_chunks(bool softened) { return softened ? HB_LISTS : HB_LISTS - 1; }

/// As large as no cell that holds the sink itself can pass: 0.9 would take a tenth longer.
constexpr double convergence = 0.99;

constexpr i32 levels = HB_LEVELS + 1;

std::size_t row_of(i32 order) { return static_cast<std::size_t>(HB_ROW(order)); }
std::size_t local_row(i32 order) { return static_cast<std::size_t>((HB_COEFFICIENTS(order) + 3) / 4 * 4); }

SinkOptions options_of(const GravityRun& what, i32 n, i32 cells) {
  const real eps2 = what.group.pairs == HB_PAIRS_UNIFORM ? what.group.soft2 : 0;
  SinkOptions o{};
  o.unit = what.options.unit;
  o.convergence = static_cast<real>(convergence);
  o.tolerance = tolerance_of_walk(what.accuracy, what.options, what.images->size());
  o.close = close_of_accuracy(what.accuracy);
  o.soft2 = eps2;
  o.lists = own_chunks(eps2 > 0);
  o.most = HB_MOST_OF_UNIT;
  o.top = std::max(HB_MOST_OF_UNIT, n / parts_of_all);
  o.moment_stride = what.options.moment_stride;
  o.cells = cells;
  return o;
}

}  // namespace

DeviceHierarchy::DeviceHierarchy(Device& device)
    : device_(device),
      sources_(device),
      rows_(device),
      expansions_(device),
      marks_(device),
      sinks_(device),
      units_(device),
      bounds_found_(device),
      lists_(device),
      entries_(device),
      after_(device),
      used_(device),
      counts_(device) {}

void DeviceHierarchy::run(const GravityRun& what, const DeviceParticles& particles, const Tree& tree,
                          const Targets& targets) {
  const OptionalArgument<const i32> due = targets.list;
  const u32 chunks = options_.chunks;
  order_ = what.options.expansion;
  options_ = options_of(what, particles.n, tree.cells().size());
  options_.chunks = chunks;
  options_.due = targets.count;
  find_sinks(tree, due);
  measure(particles, tree);
  while (!fill_lists(targets.count, tree)) {
  }
  expand(tree);
  sum_units(particles, tree, due);
}

template <class F>
void DeviceHierarchy::down(F f) const {
  for (i32 l = 0; l < levels; ++l) {
    if (bounds_[l + 1] > bounds_[l]) f(bounds_[l], bounds_[l + 1]);
  }
}

template <class F>
void DeviceHierarchy::up(F f) const {
  for (i32 l = levels - 1; l >= 0; --l) {
    if (bounds_[l + 1] > bounds_[l]) f(bounds_[l], bounds_[l + 1]);
  }
}

void DeviceHierarchy::find_sinks(const Tree& tree, const OptionalArgument<const i32>& due) {
  const auto cells = static_cast<std::size_t>(options_.cells);
  const CellArrays arrays = tree.cells().arrays();
  sources_.reserve(cells * sizeof(SourceCell));
  rows_.reserve(cells * row_of(order_) * sizeof(real));
  device_.launch(kernels::make_source_cells{.options = options_, .sources = sources_, .rows = rows_, .cells = arrays},
                 variant(), options_.cells);
  const std::size_t marks = HB_SINK_SECTIONS * cells + 1;
  marks_.reserve(marks * sizeof(u32));
  sinks_.reserve(cells * sizeof(SinkCell));  // those of units are few of the cells, but how many is not known yet
  units_.reserve(cells * sizeof(i32));
  bounds_found_.reserve(HB_SINK_BOUNDS * sizeof(i32));
  device_.clear(marks_, marks * sizeof(u32));
  device_.launch(kernels::mark_sinks{.options = options_, .due = due, .marks = marks_, .cells = arrays}, variant(),
                 options_.cells);
  device_.exclusive_scan(marks_, static_cast<i64>(marks));
  device_.launch(kernels::list_sinks{.options = options_,
                                     .levels = tree.cells().levels,
                                     .due = due,
                                     .sums = marks_,
                                     .sinks = sinks_,
                                     .units = units_,
                                     .bounds = bounds_found_,
                                     .cells = arrays},
                 variant(), std::max(options_.cells, HB_SINK_BOUNDS));
  device_.download(bounds_.data(), bounds_found_, 0, sizeof bounds_);
  options_.sinks = bounds_[levels];
}

void DeviceHierarchy::measure(const DeviceParticles& particles, const Tree& tree) {
  device_.launch(kernels::measure_sinks{.options = options_,
                                        .demands = particles.last,
                                        .sinks = sinks_,
                                        .particles = particles.arrays(),
                                        .cells = tree.cells().arrays()},
                 variant(), options_.sinks);
  if (particles.last.handle() == nullptr) {
    const i32 units = bounds_[HB_SINK_BOUNDS - 1];
    device_.launch(kernels::look_at_field{.options = options_,
                                          .units = units,
                                          .unit_sinks = units_,
                                          .sources = sources_,
                                          .sinks = sinks_,
                                          .cells = tree.cells().arrays()},
                   variant(), units);
  }
  up([&](i32 begin, i32 end) {
    device_.launch(kernels::raise_sinks{.options = options_,
                                        .begin = begin,
                                        .end = end,
                                        .sums = marks_,
                                        .sinks = sinks_,
                                        .cells = tree.cells().arrays()},
                   variant(), end - begin);
  });
  down([&](i32 begin, i32 end) {
    device_.launch(kernels::size_sinks{.begin = begin, .end = end, .sinks = sinks_}, variant(), end - begin);
  });
}

bool DeviceHierarchy::fill_lists(i32 n, const Tree& tree) {
  const u32 own = static_cast<u32>(options_.lists * options_.sinks),
            usual = static_cast<u32>(i64{usual_entries(order_)} * n / HB_CHUNK) + 64;
  options_.chunks = std::max(options_.chunks, own + usual);
  lists_.reserve(static_cast<std::size_t>(options_.sinks) * sizeof(SinkLists));
  entries_.reserve(static_cast<std::size_t>(options_.chunks) * HB_CHUNK * sizeof(i32));
  after_.reserve(static_cast<std::size_t>(options_.chunks) * sizeof(u32));
  used_.reserve(sizeof(u32));
  device_.clear(used_, sizeof(u32));
  down([&](i32 begin, i32 end) {
    device_.launch(kernels::open_sinks{.options = options_,
                                       .begin = begin,
                                       .end = end,
                                       .sources = sources_,
                                       .sinks = sinks_,
                                       .lists = lists_,
                                       .entries = entries_,
                                       .after = after_,
                                       .used = used_,
                                       .cells = tree.cells().arrays()},
                   variant(), end - begin);
  });
  device_.begin_fetch(used_, sizeof(u32));
  u32 used = 0;
  device_.end_fetch(&used, sizeof used);
  if (own + used <= options_.chunks) return true;
  options_.chunks = own + used + used / 2;  // below the level that did not fit nothing was counted
  return false;
}

void DeviceHierarchy::expand(const Tree& tree) {
  const auto sinks = static_cast<std::size_t>(options_.sinks);
  expansions_.reserve(sinks * local_row(order_) * sizeof(real));
  counts_.reserve(sinks * HB_COUNTS * sizeof(u32));
  device_.launch(kernels::expand_cells{.options = options_,
                                       .sources = sources_,
                                       .cell_rows = rows_,
                                       .sinks = sinks_,
                                       .lists = lists_,
                                       .entries = entries_,
                                       .after = after_,
                                       .expansions = expansions_,
                                       .counts = counts_,
                                       .cells = tree.cells().arrays()},
                 variant(), options_.sinks);
  down([&](i32 begin, i32 end) {
    device_.launch(
        kernels::hand_down{.options = options_, .begin = begin, .end = end, .sinks = sinks_, .expansions = expansions_},
        variant(), (end - begin + HB_WARP - 1) / HB_WARP);
  });
}

template <class Launch>
void DeviceHierarchy::sum_bin(int bin, const DeviceParticles& particles, const Tree& tree,
                              const OptionalArgument<const i32>& due) {
  const i32 begin = bin == 0 ? 0 : bounds_[levels + bin], end = bounds_[levels + 1 + bin];
  device_.launch(Launch{.options = options_,
                        .begin = begin,
                        .end = end,
                        .due = due,
                        .units = units_,
                        .sources = sources_,
                        .sinks = sinks_,
                        .lists = lists_,
                        .entries = entries_,
                        .after = after_,
                        .expansions = expansions_,
                        .acc = particles.acc,
                        .counts = counts_,
                        .particles = particles.arrays(),
                        .cells = tree.cells().arrays()},
                 variant(), end - begin);
}

void DeviceHierarchy::sum_units(const DeviceParticles& particles, const Tree& tree,
                                const OptionalArgument<const i32>& due) {
  sum_bin<kernels::sum_units_16>(0, particles, tree, due);
  sum_bin<kernels::sum_units_24>(1, particles, tree, due);
  sum_bin<kernels::sum_units_32>(2, particles, tree, due);
  sum_bin<kernels::sum_units_48>(3, particles, tree, due);
  sum_bin<kernels::sum_units_64>(4, particles, tree, due);
  sum_bin<kernels::sum_units_96>(5, particles, tree, due);
}

double DeviceHierarchy::bytes_per_particle(i32 order, double cells) {
  constexpr double particles_of_sink = 24;  // seldom fewer
  const double cell = sizeof(SourceCell) + row_of(order) * sizeof(real) + HB_SINK_SECTIONS * sizeof(u32) +
                      sizeof(SinkCell) + sizeof(i32);
  const double sink = sizeof(SinkLists) + local_row(order) * sizeof(real) + HB_COUNTS * sizeof(u32) +
                      HB_LISTS * (HB_CHUNK * sizeof(i32) + sizeof(u32));
  return cells * cell + usual_entries(order) * sizeof(i32) + sink / particles_of_sink;
}

std::vector<Buffer*> DeviceHierarchy::buffers() {
  return {&sources_,      &rows_,  &expansions_, &marks_, &sinks_, &units_,
          &bounds_found_, &lists_, &entries_,    &after_, &used_,  &counts_};
}

HB_CLOSE
