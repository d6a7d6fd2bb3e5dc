// SPDX-License-Identifier: Apache-2.0
// The program `hornbeam-bench`.
#include "bench/suites/suites.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  return hornbeam::cli::run_program("hornbeam-bench", argc, argv, hornbeam::cli::run_bench);
}
