// SPDX-License-Identifier: Apache-2.0
// `hornbeam view`: snapshots in a browser. What is served is src/view/'s.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "cli/common.h"
#include "cli/run_report.h"
#include "view/files_source.h"
#include "view/server.h"

namespace hornbeam::cli {
namespace {

struct ViewCommand {
  std::string path;
  view::ServerOptions server{{"127.0.0.1", view::usual_port}, ""};
  std::size_t most = view::usual_most;
};

void serve(const ViewCommand& command) {
  const auto source = std::make_shared<view::FilesSource>(command.path, command.most);
  const view::Server server(source, command.server);
  catch_stop_signals();
  fmt::print("{}\nOpen this address in a browser; Ctrl-C ends.\n", server.url());
  std::fflush(stdout);
  while (!stop_asked()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace

void add_view(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "view", "Snapshots in a browser, turned, zoomed and played: a page on this machine, or with a token beyond it");
  const auto options = std::make_shared<ViewCommand>();
  command->add_option("PATH", options->path, "a run's folder, which may still be growing, or a snapshot")
      ->required()
      ->type_name("PATH");
  command
      ->add_option("--host", options->server.address.host,
                   "address to serve on; 0.0.0.0: all of this machine's (default: 127.0.0.1, this machine alone)")
      ->type_name("TEXT");
  command
      ->add_option_function<std::string>(
          "--port",
          [options](const std::string& text) {
            options->server.address.port = static_cast<std::uint16_t>(integer_from_text_in(0, 65535, text, "--port"));
          },
          fmt::format("0: any that is free (default: {})", view::usual_port))
      ->type_name("INT");
  command
      ->add_option("--token", options->server.token,
                   "what the address must end in, ?token=... (default: a random one where others can connect, else "
                   "none)")
      ->type_name("TEXT");
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
