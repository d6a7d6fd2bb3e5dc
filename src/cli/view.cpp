// SPDX-License-Identifier: Apache-2.0
// `hornbeam view`: snapshots in a browser. What is served is src/view/'s.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "cli/common.h"
#include "cli/output/run_report.h"
#include "run/folder/pictures.h"
#include "view/files_source.h"
#include "view/server.h"

namespace hornbeam::cli {
namespace {

struct ViewCommand {
  std::string path;
  view::ServerOptions server{{"127.0.0.1", view::usual_port}, {}};
  std::string token_file;
  std::size_t most = view::usual_most;
};

bool others_can_read(const std::string& file) {
  constexpr auto others = std::filesystem::perms::group_read | std::filesystem::perms::others_read;
  std::error_code trouble;
  return (std::filesystem::status(file, trouble).permissions() & others) != std::filesystem::perms::none;
}

void serve(const ViewCommand& command) {
  const auto source = std::make_shared<view::FilesSource>(
      command.path, command.most, [](const std::filesystem::path& file) { return run::read_with_box(file, {}); });
  view::ServerOptions options = command.server;
  if (!command.token_file.empty()) options.token = view::token_in(command.token_file);
  const view::Server server(source, options);
  catch_stop_signals();
  fmt::print("{}\nOpen this address in a browser; Ctrl-C ends.\n", server.url());
  if (!command.token_file.empty() && others_can_read(command.token_file)) {
    print_notes({fmt::format("WARNING: {}: other users can read this file and then open the view (chmod 600 {})",
                             command.token_file, command.token_file)});
  }
  std::fflush(stdout);
  while (!stop_asked()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void add_token(CLI::App& command, const std::shared_ptr<ViewCommand>& options) {
  command
      .add_option(
          "--token-file", options->token_file,
          fmt::format("file whose first line is the token that the address ends in, 8 to 128 letters, digits, - "
                      "and _ (default: the environment variable {}, otherwise a random token)",
                      view::token_variable))
      ->type_name("PATH");
  command
      .add_option_function<std::string>(
          "--token",
          [](const std::string&) {
            throw UsageError("--token",
                             "received a token, which all users of the machine can read in the list of processes",
                             fmt::format("put it into a file for --token-file, or into the environment variable {}",
                                         view::token_variable));
          })
      ->group("");  // as it was called until now
}

}  // namespace

void add_view(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("view", "Show snapshots in a browser, at the printed address: turn, zoom, play");
  const auto options = std::make_shared<ViewCommand>();
  command->add_option("PATH", options->path, "a run's folder, which may still be growing, or a snapshot")
      ->required()
      ->type_name("PATH");
  command
      ->add_option("--host", options->server.address.host,
                   "address to serve on; 0.0.0.0: all addresses of this machine (default: 127.0.0.1, which only this "
                   "machine reaches)")
      ->type_name("TEXT");
  command
      ->add_option_function<std::string>(
          "--port",
          [options](const std::string& text) {
            options->server.address.port = static_cast<std::uint16_t>(integer_from_text_in(0, 65535, text, "--port"));
          },
          fmt::format("0: any that is free (default: {})", view::usual_port))
      ->type_name("INT");
  add_token(*command, options);
  command
      ->add_option_function<std::string>(
          "--most",
          [options](const std::string& text) {
            options->most = static_cast<std::size_t>(integer_from_text_in(1, 100'000'000, text, "--most"));
          },
          "particles that are drawn at most; of more, a part (default: 1000000)")
      ->type_name("INT");
  command->callback([options] { serve(*options); });
}

}  // namespace hornbeam::cli
