// SPDX-License-Identifier: Apache-2.0
// `hornbeam man`: the manual page in roff, its commands and keys from the same tables as --help.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <sstream>

#include "cli/common.h"
#include "cli/exit_status.h"
#include "cli/shell/command_tree.h"
#include "hornbeam/version.h"

namespace hornbeam::cli {
namespace {

/// A word, or a line, that roff prints as it stands.
std::string escaped(const std::string& word) {
  std::string safe = word.starts_with('.') || word.starts_with('\'') ? "\\&" : "";
  for (const char c : word) safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return safe;
}

/// Text that roff prints as it stands, each of its lines on one of its own; in the page no line is longer than 80.
std::string roff(const std::string& text) {
  constexpr std::size_t longest = 80;
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (!all.empty()) all += "\n.br\n";
    std::istringstream words(line);
    std::string here;
    for (std::string word; words >> word;) {
      const std::string next = escaped(word);
      const bool fits = here.size() + 1 + next.size() <= longest;
      all += here.empty() ? next : (fits ? " " : "\n") + next;
      here = here.empty() || !fits ? next : here + " " + next;
    }
  }
  return all;
}

/// What is above a paragraph is one line.
std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return text.empty() ? "" : "\\fI" + escaped(text) + "\\fR"; }

/// A sentence of what is none in --help.
std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return roff(text + ".");
}

std::string entry(const std::string& head, const std::string& text) {
  return ".TP\n" + head + "\n" + roff(text) + "\n";
}

struct Paragraph {
  const char* head;
  const char* text;
};

constexpr std::array<Paragraph, 8> files{
    {{"snapshot_0000.hdf5, snapshot_0001.hdf5, ...",
      "In output.directory: the particles at the times of [output] every and times, in Gadget's layout, which yt and "
      "pynbody open; other formats by [output] formats."},
     {"energy.csv", "Energies, momenta and the error of the energy by time."},
     {"black_holes.csv", "The paths of black holes, with [output] black_holes_every."},
     {"rungs.csv", "With block steps: the cost of each length of step."},
     {"checkpoint.hdf5", "The state from which run --resume continues."},
     {"latest.hdf5", "With [output] wall_every: the particles of the last checkpoint."},
     {"run.json", "The configuration as it was understood, version, device, totals and where the time went."},
     {"$XDG_CACHE_HOME/hornbeam, or ~/.cache/hornbeam",
      "OpenCL kernels that were compiled before. The folder may be removed."}}};

constexpr std::array<Paragraph, 4> environment{
    {{"OMP_NUM_THREADS", "Number of CPU threads, unless --threads or [device] threads sets it."},
     {"OMP_WAIT_POLICY, GOMP_SPINCOUNT",
      "Whether waiting threads keep their cores busy. By default they do so for a short time."},
     {"HORNBEAM_ISA",
      "Instruction set of the CPU, in place of the best available: generic (on ARM this is NEON), avx2 or avx512."},
     {"PATH", "Folders that are searched for ffmpeg and python3, which movies and plots of analyze need."}}};

constexpr std::array<Paragraph, 6> examples{
    {{"hornbeam init galaxy && hornbeam run galaxy.toml", "Writes a first configuration and runs it."},
     {"hornbeam run galaxy.toml --set ic.n=100000 output.directory=fine", "Runs it with values other than the file's."},
     {"hornbeam run galaxy.toml --resume", "Continues a run that was stopped."},
     {"hornbeam ic plummer -n 10000 -o cluster.hdf5", "Writes a star cluster of ten thousand stars to a file."},
     {"hornbeam analyze output/galaxy/snapshot_*.hdf5 --energy --half-mass", "Measures snapshots."},
     {"hornbeam movie output/galaxy -o galaxy.mp4", "Makes a movie of a run."}}};

template <class Paragraphs>
std::string section(const std::string& title, const Paragraphs& paragraphs) {
  std::string text = ".SH " + title + "\n";
  for (const Paragraph& paragraph : paragraphs) text += entry(bold(paragraph.head), paragraph.text);
  return text;
}

std::string usage(const Command& command) {
  std::string text = "hornbeam " + command.name;
  if (!command.commands.empty()) text += " MODEL";
  for (const Taken& place : command.places) {
    const std::string name = place.names.front() + (place.several ? "..." : "");
    text += " " + (place.required ? name : "[" + name + "]");
  }
  return text + " [OPTION]...";
}

std::string entry_of(const Taken& taken) {
  std::vector<std::string> names;
  for (const std::string& name : taken.names) names.push_back(taken.is_place() ? italic(name) : bold(name));
  const bool repeats_name = taken.is_place() && taken.words.empty();
  const std::string type = taken.type.empty() || repeats_name ? "" : " " + italic(taken.type);
  const std::string help = taken.help + (taken.required && !taken.is_place() ? " (required)" : "");
  return ".TP\n" + fmt::format("{}", fmt::join(names, ", ")) + type + (taken.several ? " ..." : "") + "\n" +
         roff(help) + "\n";
}

/// Of the commands below `parent`, each with its options but for help's.
std::string commands_text(const Command& parent) {
  std::string text;
  for (const Command& command : parent.commands) {
    text += ".SS " + roff(usage(command)) + "\n" + sentence(command.summary) + "\n";
    if (!command.commands.empty()) text += roff("Each model has options of its own, see MODELS below.") + "\n";
    for (const Taken& place : command.places) text += entry_of(place);
    for (const Taken& option : command.options) {
      if (option.names.back() != "--help") text += entry_of(option);
    }
  }
  return text;
}

std::string keys_of_sections() {
  std::string text;
  for (const run::Section& section : run::sections()) {
    text += fmt::format(".SS [{}]\n{}\n", section.name, sentence(section.help));
    for (const Key& key : keys()) {
      if (key.section != section.name) continue;
      text += ".TP\n" + bold(key.name) + " " + italic(key.type()) + "\n" + roff(described(key)) + "\n";
    }
  }
  return text;
}

std::string exit_statuses() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitMeaning& exit : exit_meanings) {
    text += entry(bold(std::to_string(static_cast<int>(exit.status))), exit.meaning);
  }
  return text;
}

std::string page(const Command& program) {
  std::string text = fmt::format(".TH HORNBEAM 1 {} \"hornbeam {}\" \"User Commands\"\n", commit_date, version);
  text += ".SH NAME\nhornbeam \\- " + roff(program.summary.substr(program.summary.find(": ") + 2)) + "\n";
  text += ".SH SYNOPSIS\n.B hornbeam\n.I COMMAND\n.RI [ OPTION ]...\n.br\n.B hornbeam\n.I COMMAND\n.B \\-\\-help\n";
  text +=
      ".SH DESCRIPTION\n" +
      roff(
          "Simulates bodies that attract one another, such as galaxies, star clusters and planetary rings, on CPUs and "
          "GPUs. A configuration in TOML says what to simulate; results are a folder of snapshots, which other "
          "commands measure and draw.") +
      "\n.PP\n" + roff("Each command lists its options with --help.") + "\n";
  text += ".SH COMMANDS\n" + commands_text(program);
  for (const Command& command : program.commands) {
    if (!command.commands.empty()) text += ".SH MODELS\n" + commands_text(command);
  }
  text += ".SH CONFIGURATION\n" +
          roff(
              "The keys of CONFIG.toml by sections. run --set takes them as SECTION.KEY=VALUE. The options of a model "
              "(see above) are keys of [ic], too, with _ in place of -.") +
          "\n" + keys_of_sections();
  return text + section("FILES", files) + exit_statuses() + section("ENVIRONMENT", environment) +
         section("EXAMPLES", examples);
}

}  // namespace

void add_man(CLI::App& program) {
  CLI::App* command = program.add_subcommand("man", "Print the manual page: hornbeam man | man -l -");
  command->callback([&program] { fmt::print("{}", page(tree_of(program))); });
}

}  // namespace hornbeam::cli
