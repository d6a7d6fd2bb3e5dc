// SPDX-License-Identifier: Apache-2.0
// The progress bar and its plain-text twin, see progress.h.
#include "cli/output/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "run/records/figures.h"

namespace hornbeam::cli {
namespace {

using run::duration;

constexpr auto redraw_after = std::chrono::milliseconds(200);
constexpr int bar_width = 8;
constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

bool is_terminal() { return isatty(STDOUT_FILENO) == 1; }

std::size_t line_width() {
  winsize size{};
  constexpr std::size_t usual = 80;
  return (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual) - 1;
}

std::string fitted(std::vector<LineField> fields, std::size_t width) {
  const auto joined = [&fields] {
    std::string line;
    for (const LineField& field : fields) line += (line.empty() ? "" : "  ") + field.text;
    return line;
  };
  std::string line = joined();
  for (; line.size() > width; line = joined()) {
    fields.erase(std::max_element(fields.begin(), fields.end(),
                                  [](const LineField& a, const LineField& b) { return a.rank < b.rank; }));
  }
  return line;
}

Progress::Progress(double start, double end, std::uint64_t first_step)
    : Progress(start, end, first_step, is_terminal()) {}
Progress::Progress(double start, double end, std::uint64_t first_step, bool terminal)
    : terminal_(terminal), start_(start), end_(end), first_step_(first_step) {}

double plain_interval(double elapsed) {
  constexpr double least = 10, most = 600, part = 0.1;
  return std::clamp(part * elapsed, least, most);
}

bool Progress::wants_update() const {
  if (terminal_) return Clock::now() - drawn_ >= redraw_after;
  return seconds_since(drawn_) >= plain_interval(seconds_since(began_));
}

std::string Progress::fields(LineField first, const At& at, std::vector<LineField> more) const {
  more.insert(more.begin(), std::move(first));
  more.push_back({fmt::format("t = {:.6g} of {:.6g}", at.time, end_), 2});
  more.push_back({fmt::format("step {}", at.step), 5});
  const auto steps_here = static_cast<double>(at.step - first_step_);
  const double elapsed = seconds_since(began_), way = at.time - start_;
  if (steps_here >= 1.0 && elapsed > 0.0 && way > 0.0) {
    more.push_back({fmt::format("{:.3g} steps/s", steps_here / elapsed), 6});
    more.push_back({"ETA " + duration(std::max(0.0, (end_ - at.time) / way * elapsed)), 3});
  }
  if (std::isfinite(at.relative_error)) more.push_back({fmt::format("dE/E = {:.2e}", at.relative_error), 4});
  return fitted(std::move(more), terminal_ ? line_width() : any_width);
}

void Progress::update(double time, std::uint64_t step, double relative_error) {
  const double share = end_ > start_ ? std::clamp((time - start_) / (end_ - start_), 0.0, 1.0) : 1.0;
  const auto filled = static_cast<std::size_t>(share * bar_width);
  const LineField bar{fmt::format("[{:.<{}}]", std::string(filled, '#'), bar_width), 7};
  const LineField percent{fmt::format("{:.0f} %", 100.0 * share), 1};
  if (!terminal_) return line(fields(percent, {time, step, relative_error}, {}));
  fmt::print("\r\033[K{}", fields(bar, {time, step, relative_error}, {percent}));
  std::fflush(stdout);
  drawn_ = Clock::now();
  bar_ = true;
}

void Progress::line(const std::string& text) {
  if (bar_) fmt::print("\r\033[K");
  fmt::print("{}\n", text);
  std::fflush(stdout);
  bar_ = false;
  if (!terminal_) drawn_ = Clock::now();
}

void Progress::output(const std::string& what, double time, std::uint64_t step, double relative_error) {
  line(fields({what, 1}, {time, step, relative_error}, {}));
}

void Progress::finish() {
  if (bar_) fmt::print("\n");
  bar_ = false;
}

}  // namespace hornbeam::cli
