// SPDX-License-Identifier: Apache-2.0
// `hornbeam convert`: one format to another, saying what was found and what could not be kept.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/common.h"
#include "hornbeam/io.h"
#include "io/files/file.h"

namespace hornbeam::cli {
namespace {

struct ConvertCommand {
  std::string in, out, from, to;
  ReadOptions reading;
};

FormatSpec chosen(const std::string& name, const std::string& path) {
  return name.empty() ? format_of(path, "--to") : format_named(name, "--to");
}

void convert(const ConvertCommand& command) {
  io::refuse_same_file(command.out, {command.in});
  const FormatSpec out = chosen(command.to, command.out);
  const std::optional<FormatSpec> in =
      command.from.empty() ? std::nullopt : std::optional(format_named(command.from, "--from"));
  const Snapshot snapshot = read_snapshot(command.in, in, command.reading);
  const std::string record = !in || in->format == Format::hdf5 ? read_record(command.in) : "";
  fmt::print("{}: {}, time {}\n", command.in, run::counted(snapshot.particles.size(), "particle"), snapshot.time);
  print_notes(snapshot.notes);
  std::vector<std::string> losses = write_snapshot(command.out, snapshot, out, record);
  if (!record.empty() && out.format != Format::hdf5) {
    losses.emplace_back(
        "the record of what made it (configuration, softening kernel, external potentials) is not kept");
  }
  fmt::print("{}: {}\n", command.out, losses.empty() ? "everything kept" : "written");
  print_notes(losses);
}

}  // namespace

void add_convert(CLI::App& program) {
  CLI::App* command = program.add_subcommand("convert", "Convert a snapshot to another format");
  const auto convert_command = std::make_shared<ConvertCommand>();
  command->add_option("IN", convert_command->in, "file to read")->required()->type_name("PATH");
  command->add_option("OUT", convert_command->out, "file to write")->required()->type_name("PATH");
  command->add_option("--from", convert_command->from, "format of IN (default: by extension, otherwise by content)")
      ->type_name("FORMAT");
  command->add_option("--to", convert_command->to, "format of OUT (default: by extension)")->type_name("FORMAT");
  add_reading_flags(*command, convert_command->reading);
  command->callback([convert_command] { convert(*convert_command); });
}

}  // namespace hornbeam::cli
