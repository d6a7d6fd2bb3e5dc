// SPDX-License-Identifier: Apache-2.0
// `hornbeam neighbours`: who is near whom in a snapshot, as a summary or a file of lists or counts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/common.h"
#include "hornbeam/io.h"
#include "interactions/neighbours/search.h"
#include "io/file.h"
#include "io/neighbour_lists.h"

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
    throw UsageError("neighbours", "needs one measure of who is near", "give --radius R or --nearest K");
  }
  if (command.counts && command.nearest) {
    throw UsageError("--counts", "every particle has as many as --nearest asks for", "give --radius R instead");
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
  fmt::print("{} particles on {}: {} {}\n", json["n"].get<std::size_t>(), json["backend"].get<std::string>(),
             json["neighbours"].get<std::uint64_t>(), what);
  for (const char* key : {"count", "distance"}) {
    if (!json.contains(key)) continue;
    const Json& of = json[key];
    fmt::print("  {:<10}{:.6g} to {:.6g}, mean {:.6g}\n", key, of["least"].get<double>(), of["most"].get<double>(),
               of["mean"].get<double>());
  }
  fmt::print("  {:<10}{:.3g}\n", "seconds", json["seconds"].get<double>());
}

NeighbourOptions search_options(const NeighboursCommand& command, Snapshot& snapshot) {
  NeighbourOptions options;
  options.box_size = command.box.value_or(snapshot.box_size);
  options.backend = command.options.backend;
  options.device = command.options.device;
  options.threads = command.options.threads;
  std::vector<Vec3>& position = snapshot.particles.position;
  if (options.box_size > 0) {
    const std::size_t moved = wrap_into_box(position, options.box_size);
    if (moved > 0) snapshot.notes.push_back(fmt::format("{} particles outside of the box are wrapped into it", moved));
  }
  check_search(position, options);
  if (command.radius) check_radius(*command.radius, options);
  if (command.nearest) check_nearest(*command.nearest, position.size());
  return options;
}

void search(const NeighboursCommand& command, NeighbourTree& tree, io::FoundNeighbours& found) {
  if (command.nearest) {
    found.asked.emplace_back("nearest", static_cast<double>(*command.nearest));
    found.lists = tree.nearest(static_cast<int>(*command.nearest));
    return;
  }
  found.asked.emplace_back("radius", *command.radius);
  if (command.counts) {
    found.count = tree.count_within(*command.radius);
  } else {
    found.lists = tree.within(*command.radius);
  }
}

void find_neighbours(const NeighboursCommand& command) {
  check_request(command);
  Snapshot snapshot = read_positions(command.file);
  const NeighbourOptions options = search_options(command, snapshot);
  const std::vector<Vec3>& position = snapshot.particles.position;
  io::FoundNeighbours found;
  found.id = snapshot.particles.id;
  found.asked = {{"box_size", options.box_size}};
  const auto start = std::chrono::steady_clock::now();
  NeighbourTree tree(position, options);
  search(command, tree, found);
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
  const std::string box = options.box_size > 0 ? fmt::format(", periodic box of {}", options.box_size) : "";
  print_neighbours(json, command.nearest ? fmt::format("neighbours, the {} nearest of each{}", *command.nearest, box)
                                         : fmt::format("neighbours within {}{}", *command.radius, box));
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
  number("--box", options->box, "edge of the periodic cube; 0: none (default: the file's)");
  command->add_flag("--counts", options->counts, "how many there are, without who they are");
  add_key_flags(*command, options->options, {"backend", "device", "threads"});
  command->add_option("-o", options->output, "lists or counts to write: .hdf5, .npz or .csv")->type_name("PATH");
  command->add_flag("--json", options->json, "one JSON object");
  command->callback([options] { find_neighbours(*options); });
}

}  // namespace hornbeam::cli
