// SPDX-License-Identifier: Apache-2.0
// `hornbeam ic MODEL`: draws initial conditions into a file, see ic.h.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/common.h"
#include "cli/ic.h"
#include "cli/shell/arguments.h"
#include "cli/shell/help_format.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "io/files/file.h"
#include "memory/particles.h"
#include "run/records/record.h"

namespace hornbeam::cli {
namespace {

void add_model_options(CLI::App& command, const ics::Model& model, ModelRequest& request) {
  for (const ics::Option& option : model.options) {
    const std::string known = option.default_value.empty() ? "" : fmt::format(" (default: {})", option.default_value);
    command
        .add_option_function<std::string>(
            "--" + option.name, [&request, key = option.name](const std::string& text) { request.options[key] = text; },
            option.help + known)
        ->type_name(option.type);
  }
}

void write_model(std::vector<std::string> arguments) {
  const ics::Model& model = find_model(arguments.front(), "ic");
  ModelCommand asked(model);
  CLI::App& command = *asked.parser;
  const ModelRequest& request = asked.request;
  const std::string& output = asked.output;
  arguments.erase(arguments.begin());
  try {
    command.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp& help) {
    command.exit(help);
    return;
  } catch (const CLI::ParseError& error) {
    throw explained(error, command, arguments);
  }
  for (const auto& [option, value] : request.options) io::refuse_same_file(output, {value});  // some name files
  if (request.n) memory::demand(*request.n, memory::particles() + memory::softening() + memory::writing());
  const Snapshot snapshot = draw(request);
  print_notes(snapshot.notes);
  print_notes(write_snapshot(output, snapshot, format_of(output), run::record_of(request)));
  const std::string units = snapshot.units.physical ? ", in " + described(snapshot.units) : "";
  fmt::print("{}: {} of {}, seed {}{}\n", output, run::counted(snapshot.particles.size(), "particle"), model.name,
             request.seed, units);
}

std::string model_list() {
  std::string text = "Models (hornbeam ic MODEL --help lists the options of one):\n";
  for (const ics::Model& model : ics::models()) text += fmt::format("  {:<16}  {}\n", model.name, model.summary);
  return text;
}

}  // namespace

ModelCommand::ModelCommand(const ics::Model& model)
    : parser(std::make_unique<CLI::App>(model.summary, "hornbeam ic " + model.name)) {
  fit_help(*parser);
  request.model = model.name;
  request.softens = true;
  request.of_files = run::FileUnits::convert;
  add_model_flags(*parser, request);
  parser->add_option("-o", output, "file to write; its extension gives the format")->required()->type_name("PATH");
  parser
      ->add_option_function<std::string>(
          "--units", [this](const std::string& text) { request.units = units_from(text, "--units"); },
          "of the options and the file: nbody (G = 1, the default), galactic, solar, si, cgs, saturn, or "
          "LENGTH,MASS,VELOCITY such as \"pc,Msun,km/s\"")
      ->type_name("UNITS");
  add_model_options(*parser, model, request);
}

void add_ic(CLI::App& program) {
  CLI::App* command = program.add_subcommand("ic", "Draw initial conditions: ic MODEL -n N -o FILE");
  command->prefix_command();
  command->footer(model_list());
  command->callback([command] {
    const std::vector<std::string> arguments = command->remaining();
    if (arguments.empty() || arguments.front().starts_with('-')) {
      throw UsageError("ic", "the model is missing", "write hornbeam ic MODEL -n N -o FILE; --help lists the models");
    }
    write_model(arguments);
  });
}

}  // namespace hornbeam::cli
