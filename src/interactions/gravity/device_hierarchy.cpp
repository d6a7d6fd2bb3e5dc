// SPDX-License-Identifier: Apache-2.0
// The walk from cell to cell on a device, see device_hierarchy.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/device_hierarchy.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "hornbeam/error.h"
#include "interactions/gravity/evaluation.h"
#include "interactions/gravity/gravity_module.h"
#include "tree/device/device_tree.h"

HB_OPEN
namespace {

/// Cells of more than one part of all particles in so many are no sinks.
constexpr i32 parts_of_all = 16;
/// Warps that keep a device busy: with fewer sinks a level, a warp hands expansions down to fewer of them.
constexpr i32 enough_warps = 1 << 11;
/// Entries of lists for a particle that there is room for at first, with the largest units: the higher the order, the
/// smaller the errors. Smaller units have more, of so few particles that it is within kept_free_on_device.
constexpr i32 usual_entries(i32 order) { return 20 << (order - HB_LEAST_TRANSFER); }
/// Pieces that the lists of a sink begin with.
constexpr i32 own_chunks(bool softened) { return softened ? HB_LISTS : HB_LISTS - 1; }

constexpr i32 levels = HB_LEVELS + 1;

std::size_t row_of(i32 order) { return static_cast<std::size_t>(HB_ROW(order)); }
std::size_t local_row(i32 order) { return (static_cast<std::size_t>(HB_COEFFICIENTS(order)) + 3) / 4 * 4; }

/// Most targets of a unit. Large ones are fewer to walk for, but few large ones leave most of the device idle (measured
/// on an H200). Where there are fewer points than sources, as wide as the largest of sources.
i32 unit_size(const DeviceHierarchy::Task& task) {
  constexpr i64 least = 8, most = HB_MOST_OF_UNIT;
  if (!task.are_points) return task.targets.n < 150'000 ? 48 : task.targets.n < 400'000 ? 64 : most;
  return static_cast<i32>(std::clamp(most * task.targets.n / std::max(task.sources.n, 1), least, most));
}

SinkOptions options_of(const DeviceHierarchy::Task& task) {
  const GravityRun& what = task.what;
  const bool each = what.options.reaches != 0;
  const real eps2 = !each && what.group.pairs == HB_PAIRS_UNIFORM ? what.group.soft2 : 0;
  SinkOptions o{};
  o.unit = what.options.unit;
  // a lattice counts as one image: its demands have no acceleration by a mass far outside (measured)
  o.tolerance = tolerance_of_walk(what.accuracy, what.options, static_cast<std::size_t>(what.around.images));
  o.close = close_of_accuracy(what.accuracy);
  o.soft2 = eps2;
  o.softening = what.options.softening;
  o.each = each ? 1 : 0;
  o.lists = own_chunks(eps2 > 0 || (each && o.softening == HB_PLUMMER));
  o.most = unit_size(task);
  o.top = std::max(o.most, task.targets.n / parts_of_all);
  o.moment_stride = what.options.moment_stride;
  o.cells = task.sinks.cells().size();
  o.around = what.around;
  o.images = static_cast<i32>(what.images->size());
  o.has_far = what.has_far_images ? 1 : 0;
  o.first_image = task.are_points ? 1 : 0;
  o.bits = bits_beside_images(static_cast<std::size_t>(o.first_image) + what.images->size());
  o.due = task.due.count;
  return o;
}

}  // namespace

DeviceHierarchy::DeviceHierarchy(Device& device)
    : device_(device),
      shifts_(device),
      sources_(device),
      rows_(device),
      expansions_(device),
      marks_(device),
      sinks_(device),
      units_(device),
      bounds_found_(device),
      cuts_(device),
      lists_(device),
      entries_(device),
      after_(device),
      used_(device),
      counts_(device) {}

void DeviceHierarchy::run(const Task& task) {
  const u32 chunks = options_.chunks;
  order_ = task.what.options.expansion;
  options_ = options_of(task);
  options_.chunks = chunks;
  turns_ = task.turns;
  take_images(task);
  make_sources(task);
  find_sinks(task);
  on_each_rank([&] { measure(task); });
  while (!fill_lists(task)) {
  }
  on_each_rank([&] {
    expand(task);
    sum_units(task);
  });
}

template <class Work>
void DeviceHierarchy::on_each_rank(const Work& work) {
  launch_shared(device_, turns_, 0, [&](const RankShare& share, i64 /*targets*/) {
    bounds_ = bounds_of_rank_[static_cast<std::size_t>(share.rank)];
    options_.sinks = bounds_[levels];
    work();
  });
}

std::vector<i32> DeviceHierarchy::sinks() const {
  std::vector<i32> found;
  for (const Bounds& bounds : bounds_of_rank_) found.push_back(bounds[levels]);
  return found;
}

void DeviceHierarchy::take_images(const Task& task) {
  const auto most = u64{1} << options_.bits;
  if (static_cast<u64>(std::max(task.sources.n, task.tree.cells().size())) > most) {
    throw UsageError("accuracy",
                     "takes at most " + std::to_string(most) + " particles with " + std::to_string(options_.images) +
                         " images on backend " + device_.backend(),
                     "use backend cpu, or give theta in place of accuracy");
  }
  std::vector<pos_t> shifts(static_cast<std::size_t>(3 * options_.first_image));  // of no image 0
  for (const auto& [shift, velocity] : *task.what.images) {
    for (const double along : shift) shifts.push_back(static_cast<pos_t>(along));
  }
  if (shifts == image_shifts_ && shifts_.handle() != nullptr) return;
  image_shifts_ = std::move(shifts);
  shifts_.reserve(image_shifts_.size() * sizeof(pos_t));
  device_.upload(shifts_, 0, image_shifts_.data(), image_shifts_.size() * sizeof(pos_t));
}

OptionalArgument<const pos_t> DeviceHierarchy::shifts() const {
  return image_shifts_.size() > 3 ? OptionalArgument<const pos_t>(&shifts_) : nullptr;
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

void DeviceHierarchy::make_sources(const Task& task) {
  const i32 cells = task.tree.cells().size();
  sources_.reserve(static_cast<std::size_t>(cells) * sizeof(SourceCell));
  rows_.reserve(static_cast<std::size_t>(cells) * row_of(order_) * sizeof(real));
  device_.launch(kernels::make_source_cells{.source_cells = cells,
                                            .moment_stride = options_.moment_stride,
                                            .sources = sources_,
                                            .rows = rows_,
                                            .cells = task.tree.cells().arrays()},
                 variant(), cells);
}

i32 DeviceHierarchy::cut_runs(const Task& task) {
  rows_of_ranks_ = {};
  if (!turns_.are_shared()) return 0;
  const auto runs = static_cast<i32>(turns_.runs());
  cuts_.reserve((static_cast<std::size_t>(runs) + 1) * sizeof(i32));
  device_.launch(kernels::cut_runs{.options = options_,
                                   .targets = task.due.count,
                                   .run = static_cast<i32>(turns_.run),
                                   .runs = runs,
                                   .due = task.due.list,
                                   .cuts = cuts_,
                                   .cells = task.sinks.cells().arrays()},
                 variant(), options_.cells);
  return runs;
}

void DeviceHierarchy::mark_sinks(const Task& task, i32 runs) {
  launch_shared(device_, turns_, 0, [&](RankShare share, i64 /*targets*/) {
    share.run = 1;
    device_.launch(kernels::mark_sinks{.options = options_,
                                       .share = share,
                                       .runs = runs,
                                       .due = task.due.list,
                                       .cuts = runs > 0 ? OptionalArgument<const i32>(&cuts_) : nullptr,
                                       .marks = marks_,
                                       .cells = task.sinks.cells().arrays()},
                   variant(), options_.cells);
  });
}

void DeviceHierarchy::find_sinks(const Task& task) {
  const auto cells = static_cast<std::size_t>(options_.cells);
  const CellArrays arrays = task.sinks.cells().arrays();
  const OptionalArgument<const i32> due = task.due.list;
  const i32 runs = cut_runs(task);
  const std::size_t marks = HB_SINK_SECTIONS * cells + 1;
  marks_.reserve(marks * sizeof(u32));
  sinks_.reserve(cells * sizeof(SinkCell));  // those of units are few of the cells, but how many is not known yet
  units_.reserve(cells * sizeof(i32));
  bounds_found_.reserve(HB_SINK_BOUNDS * sizeof(i32));
  device_.clear(marks_, marks * sizeof(u32));
  mark_sinks(task, runs);
  device_.exclusive_scan(marks_, static_cast<i64>(marks));
  device_.launch(kernels::list_sinks{.options = options_,
                                     .levels = task.sinks.cells().levels,
                                     .due = due,
                                     .sums = marks_,
                                     .sinks = sinks_,
                                     .units = units_,
                                     .bounds = bounds_found_,
                                     .cells = arrays},
                 variant(), std::max(options_.cells, HB_SINK_BOUNDS));
  bounds_of_rank_.resize(static_cast<std::size_t>(turns_.ranks));
  launch_shared(device_, turns_, 0, [&](const RankShare& share, i64 /*targets*/) {
    device_.download(bounds_of_rank_[static_cast<std::size_t>(share.rank)].data(), bounds_found_, 0, sizeof(Bounds));
  });
  if (runs == 0) return;
  std::vector<i32> cuts(static_cast<std::size_t>(runs) + 1);
  device_.download(cuts.data(), cuts_, 0, cuts.size() * sizeof(i32));
  rows_of_ranks_ = {{cuts.begin(), cuts.end()}, turns_.ranks};
}

void DeviceHierarchy::measure(const Task& task) {
  const CellArrays cells = task.sinks.cells().arrays();
  device_.launch(kernels::measure_sinks{.options = options_,
                                        .demands = task.targets.last,
                                        .sinks = sinks_,
                                        .particles = task.targets.arrays(),
                                        .cells = cells},
                 variant(), options_.sinks);
  if (task.targets.last.handle() == nullptr) look_at_field(task);
  up([&](i32 begin, i32 end) {
    device_.launch(
        kernels::raise_sinks{
            .options = options_, .begin = begin, .end = end, .sums = marks_, .sinks = sinks_, .cells = cells},
        variant(), end - begin);
  });
  device_.launch(kernels::size_sinks{.all = options_.sinks, .sinks = sinks_}, variant(), options_.sinks);
}

void DeviceHierarchy::look_at_field(const Task& task) {
  const i32 units = bounds_[HB_SINK_BOUNDS - 1];
  device_.launch(kernels::look_at_field{.options = options_,
                                        .units = units,
                                        .unit_sinks = units_,
                                        .due = task.due.list,
                                        .sources = sources_,
                                        .shifts = shifts(),
                                        .sinks = sinks_,
                                        .acc = task.targets.acc,
                                        .targets = task.targets.arrays(),
                                        .cells = task.tree.cells().arrays()},
                 variant(), units);
}

bool DeviceHierarchy::fill_lists(const Task& task) {
  const i32 most = std::ranges::max(sinks());
  const i64 entries = i64{usual_entries(order_)} * HB_MOST_OF_UNIT / options_.most * task.due.count / turns_.ranks;
  const u32 own = static_cast<u32>(options_.lists * most), usual = static_cast<u32>(entries / HB_CHUNK) + 64;
  options_.chunks = std::max(options_.chunks, own + usual);
  lists_.reserve(static_cast<std::size_t>(most) * sizeof(SinkLists));
  entries_.reserve(static_cast<std::size_t>(options_.chunks) * HB_CHUNK * sizeof(i32));
  after_.reserve(static_cast<std::size_t>(options_.chunks) * sizeof(u32));
  used_.reserve(sizeof(u32));
  device_.clear(used_, sizeof(u32));
  on_each_rank([&] { open_sinks(task); });
  u32 needed = 0;
  on_each_rank([&] {
    u32 used = 0;
    device_.end_fetch(&used, sizeof used);
    const u32 kept = static_cast<u32>(options_.lists * options_.sinks);
    // below the level that did not fit nothing was counted
    if (kept + used > options_.chunks) needed = std::max(needed, kept + used + used / 2);
  });
  options_.chunks = std::max(options_.chunks, needed);
  return needed == 0;
}

void DeviceHierarchy::open_sinks(const Task& task) {
  down([&](i32 begin, i32 end) {
    device_.launch(kernels::open_sinks{.options = options_,
                                       .begin = begin,
                                       .end = end,
                                       .sources = sources_,
                                       .shifts = shifts(),
                                       .sinks = sinks_,
                                       .lists = lists_,
                                       .entries = entries_,
                                       .after = after_,
                                       .used = used_,
                                       .cells = task.tree.cells().arrays()},
                   variant(), end - begin);
  });
  device_.begin_fetch(used_, sizeof(u32));
}

void DeviceHierarchy::expand(const Task& task) {
  const auto sinks = static_cast<std::size_t>(std::ranges::max(this->sinks()));
  expansions_.reserve(sinks * local_row(order_) * sizeof(real));
  counts_.reserve(sinks * HB_COUNTS * sizeof(u32));
  device_.launch(kernels::expand_cells{.options = options_,
                                       .cell_rows = rows_,
                                       .shifts = shifts(),
                                       .sinks = sinks_,
                                       .lists = lists_,
                                       .entries = entries_,
                                       .after = after_,
                                       .expansions = expansions_,
                                       .counts = counts_,
                                       .cells = task.tree.cells().arrays()},
                 variant(), options_.sinks);
  down([&](i32 begin, i32 end) {
    const i32 held = std::clamp((end - begin) / enough_warps, 1, HB_WARP);
    device_.launch(
        kernels::hand_down{
            .options = options_, .begin = begin, .end = end, .held = held, .sinks = sinks_, .expansions = expansions_},
        variant(), (end - begin + held - 1) / held);
  });
}

template <class Launch>
void DeviceHierarchy::sum_bins(Bins bins, const Task& task) {
  const i32 begin = bins.first == 0 ? 0 : bounds_[levels + bins.first], end = bounds_[levels + 1 + bins.last];
  device_.launch(Launch{.options = options_,
                        .begin = begin,
                        .end = end,
                        .due = task.due.list,
                        .units = units_,
                        .sources = sources_,
                        .shifts = shifts(),
                        .sinks = sinks_,
                        .lists = lists_,
                        .entries = entries_,
                        .after = after_,
                        .expansions = expansions_,
                        .acc = task.targets.acc,
                        .counts = counts_,
                        .particles = task.sources.arrays(),
                        .targets = task.targets.arrays(),
                        .cells = task.tree.cells().arrays()},
                 variant(), end - begin);
}

/// All sizes of units at the same time: of few particles none fills the device. The largest take longest.
void DeviceHierarchy::sum_units(const Task& task) {
  using Sum = void (DeviceHierarchy::*)(Bins, const Task&);
  struct Part {
    Sum sum;
    Bins bins;
  };
  static constexpr std::array of_each{Part{&DeviceHierarchy::sum_bins<kernels::sum_units_each_96>, {3, 5}},
                                      Part{&DeviceHierarchy::sum_bins<kernels::sum_units_each_32>, {0, 2}}};
  static constexpr std::array of_all{Part{&DeviceHierarchy::sum_bins<kernels::sum_units_96>, {5, 5}},
                                     Part{&DeviceHierarchy::sum_bins<kernels::sum_units_64>, {4, 4}},
                                     Part{&DeviceHierarchy::sum_bins<kernels::sum_units_48>, {3, 3}},
                                     Part{&DeviceHierarchy::sum_bins<kernels::sum_units_32>, {2, 2}},
                                     Part{&DeviceHierarchy::sum_bins<kernels::sum_units_24>, {1, 1}},
                                     Part{&DeviceHierarchy::sum_bins<kernels::sum_units_16>, {0, 0}}};
  static_assert(of_all.size() == HB_UNIT_BINS);
  const std::span<const Part> parts = options_.each != 0 ? std::span<const Part>(of_each) : of_all;
  int queue = 0;
  for (const Part& part : parts) device_.on_queue(++queue, [&] { (this->*part.sum)(part.bins, task); });
  device_.join_queues(queue);
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
  return {&shifts_,       &sources_, &rows_,  &expansions_, &marks_, &sinks_, &units_,
          &bounds_found_, &cuts_,    &lists_, &entries_,    &after_, &used_,  &counts_};
}

HB_CLOSE
