// SPDX-License-Identifier: Apache-2.0
// `hornbeam neighbours`: which particles are near one another in a snapshot, as a summary or a file of lists or counts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "cli/common.h"
#include "hornbeam/io.h"
#include "interactions/neighbours/search.h"
#include "io/files/file.h"
#include "io/neighbour_lists.h"
#include "run/records/record.h"
#include "tree/boundary.h"

namespace hornbeam::cli {
namespace {

struct NeighboursCommand {
  std::string file, output;
  std::optional<double> radius, box;
  std::optional<std::int64_t> nearest;
  SimulationOptions options;  ///< of which backend, device and threads are used
  bool counts = false, json = false;
};

void check_request(const NeighboursCommand& command) {
  if (command.radius.has_value() == command.nearest.has_value()) {
    throw UsageError("neighbours", "needs either a radius or a number of neighbours", "give --radius R or --nearest K");
  }
  if (command.counts && command.nearest) {
    throw UsageError("--counts", "with --nearest K every particle has K neighbours", "give --radius R instead");
  }
  if (command.output.empty()) return;
  io::check_neighbour_file(command.output);
  io::refuse_same_file(command.output, {command.file});
}

/// Least, mean and largest number of neighbours, and the distances of pairs where they are known.
Json summary(const io::FoundNeighbours& found, std::size_t n) {
  const auto count = [&](std::size_t i) -> std::uint64_t {
    return found.lists.offset.empty() ? found.count[i] : found.lists.offset[i + 1] - found.lists.offset[i];
  };
  std::uint64_t pairs = 0, least = n > 0 ? count(0) : 0, most = least;
  for (std::size_t i = 0; i < n; ++i) {
    pairs += count(i);
    least = std::min(least, count(i));
    most = std::max(most, count(i));
  }
  const double mean = n > 0 ? static_cast<double>(pairs) / static_cast<double>(n) : 0.0;
  Json json = {{"neighbours", pairs}, {"count", {{"least", least}, {"mean", mean}, {"most", most}}}};
  const std::vector<double>& squares = found.lists.distance2;
  if (squares.empty()) return json;
  const auto [nearest, farthest] = std::minmax_element(squares.begin(), squares.end());
  double sum = 0;
  for (const double square : squares) sum += std::sqrt(square);
  json["distance"] = {{"least", std::sqrt(*nearest)},
                      {"mean", sum / static_cast<double>(squares.size())},
                      {"most", std::sqrt(*farthest)}};
  return json;
}

void print_neighbours(const Json& json, const std::string& what) {
  fmt::print("{} on {}: {} {}\n", run::counted(json["n"].get<std::size_t>(), "particle"),
             json["backend"].get<std::string>(), json["neighbours"].get<std::uint64_t>(), what);
  for (const char* key : {"count", "distance"}) {
    if (!json.contains(key)) continue;
    const Json& of = json[key];
    fmt::print("  {:<10}{:.6g} to {:.6g}, mean {:.6g}\n", key, of["least"].get<double>(), of["most"].get<double>(),
               of["mean"].get<double>());
  }
  fmt::print("  {:<10}{:.3g}\n", "seconds", json["seconds"].get<double>());
}

/// Where neighbours are searched: a periodic box of these edges, 0 along open axes, or a shearing sheet.
struct Space {
  Vec3 period{};
  std::optional<Boundary> sheet{};

  [[nodiscard]] bool is_cube() const { return !sheet && period[0] == period[1] && period[1] == period[2]; }
};

/// The file's box, unless --box asks for a cube.
Space space_of(const NeighboursCommand& command, const Snapshot& snapshot) {
  if (command.box) return {.period = {*command.box, *command.box, *command.box}};
  const Boundary& box = snapshot.boundary;
  if (box.kind == BoundaryKind::shear) return {.sheet = box};
  if (box.kind == BoundaryKind::periodic) return {.period = box.size};
  return {.period = {snapshot.box_size, snapshot.box_size, snapshot.box_size}};
}

/// Half the least edge of a sheet: pairs farther apart may be found twice among its images.
double farthest_in(const Boundary& sheet) {
  double half = std::numeric_limits<double>::infinity();
  for (const double edge : sheet.size) half = edge > 0 ? std::min(half, edge / 2) : half;
  return half;
}

void wrap_into(const Space& space, Snapshot& snapshot) {
  std::vector<Vec3>& position = snapshot.particles.position;
  if (space.sheet) {
    std::vector<Vec3> no_velocities;
    wrap(position, no_velocities, *space.sheet, snapshot.time);
  } else if (*std::max_element(space.period.begin(), space.period.end()) > 0) {
    const std::string note = run::wrapped_note(position, space.period, "the box");
    if (!note.empty()) snapshot.notes.push_back(note);
    wrap_into_box(position, space.period);
  }
}

NeighbourOptions search_options(const NeighboursCommand& command, Snapshot& snapshot, const Space& space) {
  NeighbourOptions options;
  if (space.is_cube()) {
    options.box_size = space.period[0];
  } else {
    options.box = space.period;
  }
  options.backend = command.options.backend;
  options.device = command.options.device;
  options.threads = command.options.threads;
  const double half = space.sheet ? farthest_in(*space.sheet) : 0;
  if (space.sheet && command.radius && *command.radius > half) {
    throw UsageError(fmt::format("radius = {}", *command.radius),
                     fmt::format("must be at most half the least edge of the shearing box, {}", half));
  }
  wrap_into(space, snapshot);
  const std::vector<Vec3>& position = snapshot.particles.position;
  check_search(position, options);
  if (command.radius) check_radius(*command.radius);
  if (command.nearest) check_nearest(*command.nearest, position.size());
  return options;
}

/// Rows as long as they are, without them.
void keep_counts(io::FoundNeighbours& found) {
  const std::vector<std::uint64_t>& offset = found.lists.offset;
  for (std::size_t i = 0; i + 1 < offset.size(); ++i) {
    found.count.push_back(static_cast<std::uint32_t>(offset[i + 1] - offset[i]));
  }
  found.lists = {};
}

/// In a shearing sheet, where the next boxes along x have drifted: among its images.
void search_images(const NeighboursCommand& command, NeighbourTree& tree, const Boundary& sheet, double time,
                   io::FoundNeighbours& found) {
  const std::vector<SourceImage> images = neighbouring_images(sheet, time);
  found.lists = command.nearest ? tree.nearest(static_cast<int>(*command.nearest), {nullptr, images})
                                : tree.within(*command.radius, {nullptr, images});
  const double half = farthest_in(sheet);
  for (const double square : found.lists.distance2) {
    if (!command.nearest || square <= half * half) continue;
    throw UsageError(fmt::format("--nearest {}", *command.nearest),
                     fmt::format("some neighbours are farther than half the least edge of the shearing box, {}", half),
                     "request fewer");
  }
  if (command.counts) keep_counts(found);
}

void search(const NeighboursCommand& command, NeighbourTree& tree, const Space& space, double time,
            io::FoundNeighbours& found) {
  found.asked.emplace_back(command.nearest ? "nearest" : "radius",
                           command.nearest ? static_cast<double>(*command.nearest) : *command.radius);
  if (space.sheet) return search_images(command, tree, *space.sheet, time, found);
  if (command.nearest) {
    found.lists = tree.nearest(static_cast<int>(*command.nearest));
    return;
  }
  if (command.counts) {
    found.count = tree.count_within(*command.radius);
  } else {
    found.lists = tree.within(*command.radius);
  }
}

/// What is in files and JSON besides what was found.
std::vector<std::pair<std::string, double>> asked_box(const Space& space, double time) {
  if (space.is_cube()) return {{"box_size", space.period[0]}};
  const Vec3& edges = space.sheet ? space.sheet->size : space.period;
  std::vector<std::pair<std::string, double>> asked = {{"box_x", edges[0]}, {"box_y", edges[1]}, {"box_z", edges[2]}};
  if (space.sheet) asked.emplace_back("drift", periodic_box(*space.sheet, time).drift);
  return asked;
}

std::string words_of(const Space& space) {
  if (space.is_cube()) {
    return space.period[0] > 0 ? fmt::format(", periodic box of {}", space.period[0]) : std::string();
  }
  const Vec3& edges = space.sheet ? space.sheet->size : space.period;
  return fmt::format(", {} box of {} x {} x {}", space.sheet ? "shearing" : "periodic", edges[0], edges[1], edges[2]);
}

void find_neighbours(const NeighboursCommand& command) {
  check_request(command);
  Snapshot snapshot = read_positions(command.file);
  run::settle_from_record(snapshot, command.file);
  const Space space = space_of(command, snapshot);
  const NeighbourOptions options = search_options(command, snapshot, space);
  const std::vector<Vec3>& position = snapshot.particles.position;
  io::FoundNeighbours found;
  found.id = snapshot.particles.id;
  found.asked = asked_box(space, snapshot.time);
  const auto start = std::chrono::steady_clock::now();
  NeighbourTree tree(position, options);
  search(command, tree, space, snapshot.time, found);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json json = {{"n", position.size()}, {"backend", tree.backend()}};
  for (const auto& [name, value] : found.asked) json[name] = value;
  json.update(summary(found, position.size()));
  json["seconds"] = seconds;
  if (!command.output.empty()) io::write_neighbours(command.output, found);
  if (command.json) {
    fmt::print("{}\n", json.dump(2));
    return;
  }
  print_notes(snapshot.notes);
  const std::string where = words_of(space);
  print_neighbours(json, command.nearest ? fmt::format("neighbours, the {} nearest of each{}", *command.nearest, where)
                                         : fmt::format("neighbours within {}{}", *command.radius, where));
  if (!command.output.empty()) fmt::print("{}: {}\n", command.output, command.counts ? "counts" : "lists");
}

}  // namespace

void add_neighbours(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("neighbours", "Neighbours of particles: within a radius, or the k nearest");
  const auto options = std::make_shared<NeighboursCommand>();
  const auto number = [command](const char* flag, std::optional<double>& value, const char* help) {
    command
        ->add_option_function<std::string>(
            flag, [flag, &value](const std::string& text) { value = number_from_text(text, flag); }, help)
        ->type_name("FLOAT");
  };
  command->add_option("FILE", options->file, "snapshot, or positions alone")->required()->type_name("PATH");
  number("--radius", options->radius, "all others within this distance");
  command
      ->add_option_function<std::string>(
          "--nearest",
          [options](const std::string& text) {
            options->nearest = integer_from_text_in(1, most_particles, text, "--nearest");
          },
          "this many nearest ones")
      ->type_name("INT");
  number("--box", options->box, "edge of a periodic cube; 0: none (default: the box of the file)");
  command->add_flag("--counts", options->counts, "only count the neighbours");
  add_key_flags(*command, options->options, {"backend", "device", "threads"});
  command->add_option("-o", options->output, "lists or counts to write: .hdf5, .npz or .csv")->type_name("PATH");
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { find_neighbours(*options); });
}

}  // namespace hornbeam::cli
