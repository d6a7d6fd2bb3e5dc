// SPDX-License-Identifier: Apache-2.0
// The program `hornbeam`.
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  return hornbeam::cli::run_program("hornbeam", argc, argv, hornbeam::cli::run_command);
}
