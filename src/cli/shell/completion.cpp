// SPDX-License-Identifier: Apache-2.0
// `hornbeam completion SHELL`: the script of a shell, see completion.h.
#include "cli/shell/completion.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "cli/common.h"

namespace hornbeam::cli {
namespace {

constexpr const char* footer = R"(To use it now, and in each shell from the next on:
  bash    source <(hornbeam completion bash)
          hornbeam completion bash > ~/.local/share/bash-completion/completions/hornbeam
  zsh     source <(hornbeam completion zsh)
          hornbeam completion zsh > ~/.zfunc/_hornbeam     (with fpath+=~/.zfunc before compinit in ~/.zshrc)
  fish    hornbeam completion fish | source
          hornbeam completion fish > ~/.config/fish/completions/hornbeam.fish
`cmake --install` puts all three where shells look for them.
)";

}  // namespace

std::string with_backslashes(const std::string& text, const std::string& marked) {
  std::string safe;
  for (const char c : text) {
    if (marked.find(c) != std::string::npos) safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

void add_completion(CLI::App& program) {
  CLI::App* command = program.add_subcommand("completion", "Print the script that completes command lines in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "which shell's")->required()->type_name("{bash,zsh,fish}");
  command->footer(footer);
  command->callback([shell, &program] {
    using Script = std::string (*)(const Command&, const std::vector<Setting>&);
    const auto script = among<Script>({{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}},
                                      *shell, "completion");
    fmt::print("{}", script(tree_of(program), settings()));
  });
}

}  // namespace hornbeam::cli
