// SPDX-License-Identifier: Apache-2.0
// The progress bar and its plain-text twin, see progress.h.
#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "run/figures.h"

namespace hornbeam::cli {
namespace {

using run::duration;

constexpr auto redraw_after = std::chrono::milliseconds(200);
constexpr int bar_width = 8;  // leaves room for the numbers on 80 columns

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

int terminal_width() {
  winsize size{};
  constexpr int usual = 80;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : usual;
}

}  // namespace

Progress::Progress(double start, double end, double dt)
    : terminal_(isatty(STDOUT_FILENO) == 1), start_(start), end_(end), dt_(dt) {}

bool Progress::wants_update() const { return terminal_ && Clock::now() - drawn_ >= redraw_after; }

std::string Progress::status(double time, std::uint64_t step, double relative_error) const {
  const double steps_here = (time - start_) / dt_;
  const double elapsed = seconds_since(began_);
  std::string text = fmt::format("t = {:.6g} of {:.6g}  step {}", time, end_, step);
  if (steps_here >= 1.0 && elapsed > 0.0) {
    const double rate = steps_here / elapsed;
    text += fmt::format("  {:.3g} steps/s  ETA {}", rate, duration(std::max(0.0, (end_ - time) / dt_ / rate)));
  }
  return text + fmt::format("  dE/E = {:.2e}", relative_error);
}

void Progress::update(double time, std::uint64_t step, double relative_error) {
  const double share = end_ > start_ ? std::clamp((time - start_) / (end_ - start_), 0.0, 1.0) : 1.0;
  const auto filled = static_cast<std::size_t>(share * bar_width);
  const std::string bar = fmt::format("[{:.<{}}] {:3.0f} %  {}", std::string(filled, '#'), bar_width, 100.0 * share,
                                      status(time, step, relative_error));
  fmt::print("\r\033[K{:.{}}", bar, terminal_width());  // a line that wraps could not be drawn anew
  std::fflush(stdout);
  drawn_ = Clock::now();
  bar_ = true;
}

void Progress::line(const std::string& text) {
  if (bar_) fmt::print("\r\033[K");
  fmt::print("{}\n", text);
  std::fflush(stdout);
  bar_ = false;
}

void Progress::output(const std::string& what, double time, std::uint64_t step, double relative_error) {
  line(fmt::format("{}  {}", what, status(time, step, relative_error)));
}

void Progress::finish() {
  if (bar_) fmt::print("\n");
  bar_ = false;
}

}  // namespace hornbeam::cli
