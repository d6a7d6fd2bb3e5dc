// SPDX-License-Identifier: Apache-2.0
// `hornbeam convert`: one format to another, saying what was found and what could not be kept.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "io/files/file.h"
#include "run/config/units_asked.h"
#include "run/folder/run_directory.h"
#include "run/records/record.h"

namespace hornbeam::cli {
namespace {

struct ConvertCommand {
  std::string in, out, from, to;
  ReadOptions reading;
  std::optional<Units> units;  ///< of --units
};

FormatSpec chosen(const std::string& name, const std::string& path) {
  return name.empty() ? format_of(path, "--to") : format_named(name, "--to");
}

/// Brings the snapshot to the units of --units, in which its record is not. Returns what is lost.
std::vector<std::string> converted(const ConvertCommand& command, Snapshot& snapshot, std::string& record) {
  if (!command.units) return {};
  if (!record.empty()) run::settle_from_record(snapshot, command.in);
  const bool other = snapshot.has_units && !agree(snapshot.units, *command.units);
  run::settle_units(snapshot, command.units, run::FileUnits::convert, command.in);
  if (!other || record.empty()) return {};
  record.clear();
  return {"the record of the run (configuration, external potentials) is not kept, as it is in the old units"};
}

void convert(const ConvertCommand& command) {
  io::refuse_same_file(command.out, {command.in});
  run::RunDirectory::refuse_output(command.out, command.in);
  const FormatSpec out = chosen(command.to, command.out);
  const std::optional<FormatSpec> in =
      command.from.empty() ? std::nullopt : std::optional(format_named(command.from, "--from"));
  Snapshot snapshot = read_snapshot(command.in, in, command.reading);
  std::string record = !in || in->format == Format::hdf5 ? read_record(command.in) : "";
  std::vector<std::string> losses = converted(command, snapshot, record);
  fmt::print("{}: {}, time {}\n", command.in, run::counted(snapshot.particles.size(), "particle"),
             shown_time(snapshot.units).text(snapshot.time));
  print_notes(snapshot.notes);
  for (std::string& loss : write_snapshot(command.out, snapshot, out, record)) losses.push_back(std::move(loss));
  if (!record.empty() && out.format != Format::hdf5) {
    losses.emplace_back("the record of the run (configuration, softening kernel, external potentials) is not kept");
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
  add_units_flag(*command, convert_command->units);
  command->callback([convert_command] { convert(*convert_command); });
}

}  // namespace hornbeam::cli
