// SPDX-License-Identifier: Apache-2.0
// `hornbeam init`: a configuration to begin with, every line explained. After it: an editor, and `hornbeam run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/common.h"
#include "hornbeam/error.h"
#include "hornbeam/init_files.h"
#include "io/files/file.h"
#include "run/config/all_keys.h"

namespace hornbeam::cli {
namespace {

struct InitCommand {
  std::string kind, file;
  bool overwrite = false;
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  names.reserve(std::size(init_files));
  for (const InitFile& file : init_files) names.emplace_back(file.kind);
  return names;
}

const InitFile& find_kind(const std::string& kind) {
  const auto found =
      std::find_if(init_files.begin(), init_files.end(), [&](const InitFile& file) { return file.kind == kind; });
  if (found == init_files.end())
    throw UsageError("init " + kind, "is no known kind of configuration", suggestion(kind, kinds()));
  return *found;
}

/// The first line of its comment.
std::string summary(const InitFile& file) { return std::string(file.text.substr(2, file.text.find('\n') - 2)); }

std::string with(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size()) {
    text.replace(at, word.size(), value);
  }
  return text;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-/+").find(c) != std::string_view::npos;
}

/// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return text;
  return "'" + with(text, "'", "'\\''") + "'";
}

/// The folder of results is named after the file, unless that name would need quotes.
std::string folder_for(const std::filesystem::path& file, const std::string& kind) {
  const std::string name = file.stem().string();
  const bool fits = !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), is_plain);
  return "output/" + (fits ? name : kind);
}

void init(const InitCommand& command) {
  const InitFile& begin = find_kind(command.kind);
  const std::string file = command.file.empty() ? command.kind + ".toml" : command.file;
  if (!command.overwrite && std::filesystem::exists(std::filesystem::symlink_status(file))) {
    throw Error(file, "exists already", "replace it with --overwrite, or name another file");
  }
  const std::string name = shell_word(one_line(file)), folder = folder_for(file, command.kind);
  io::replace_text(file, run::with_all_keys(with(with(std::string(begin.text), "@FILE@", name), "@FOLDER@", folder)));
  fmt::print("{}: {}\n", file, summary(begin));
  const bool has_input = begin.text.find("\n[input]") != std::string_view::npos;
  if (has_input) fmt::print("first:    put your file's name and units into {}; its comments say how\n", file);
  fmt::print("{} hornbeam run {}\n", has_input ? "then:    " : "next:    ", name);
  const bool has_ring = begin.text.find("kind = \"shear\"") != std::string_view::npos;
  fmt::print("          hornbeam analyze {}/snapshot_*.hdf5 --{}\n", folder, has_ring ? "ring" : "energy");
  fmt::print("          hornbeam movie {} -o {}.mp4\n", folder, std::filesystem::path(folder).filename().string());
}

}  // namespace

void add_init(CLI::App& program) {
  CLI::App* command = program.add_subcommand("init", "Write a commented configuration to begin with");
  const auto options = std::make_shared<InitCommand>();
  std::string summaries;
  for (const InitFile& file : init_files) summaries += fmt::format("\n{}: {}", file.kind, summary(file));
  command->add_option("KIND", options->kind, "what to simulate, one of" + summaries)
      ->required()
      ->type_name(fmt::format("{{{}}}", fmt::join(kinds(), ",")));
  command->add_option("FILE", options->file, "TOML file to write (default: KIND.toml)")->type_name("PATH");
  command->add_flag("--overwrite", options->overwrite, "replace FILE if it exists");
  command->callback([options] { init(*options); });
}

}  // namespace hornbeam::cli
