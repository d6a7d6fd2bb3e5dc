// SPDX-License-Identifier: Apache-2.0
// The table of evaluation options, see keys.h. Ranges are checked by GravityOptions::validate(); here only what its
// "not given" values would hide.
#include "run/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "hornbeam/error.h"

namespace hornbeam::run {
namespace {

double not_negative(double value, const std::string& subject) {
  if (value < 0.0) throw UsageError(subject, fmt::format("received {}", value), "must be 0 or above");
  return value;
}

int whole(std::int64_t value, std::int64_t least, const std::string& subject) {
  if (value < least || value > std::numeric_limits<int>::max()) {
    throw UsageError(subject, fmt::format("received {}", value), fmt::format("must be a whole number from {}", least));
  }
  return static_cast<int>(value);
}

template <class Value>
Value parsed(const std::string& text, const std::string& subject, const char* allowed) {
  Value value{};
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end) throw UsageError(subject, "received " + text, allowed);
  return value;
}

/// The names of all values up to the last one.
template <class Enum>
std::vector<std::string_view> words_to(Enum last) {
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(last); ++i) words.push_back(name(static_cast<Enum>(i)));
  return words;
}

using Options = SimulationOptions;
using Subject = const std::string&;

std::vector<Key> make_keys() {
  return {
      {"gravity", "theta", "opening angle of multipoles at particles, 0 (open everything) to 2",
       SetNumber([](Options& o, double v, Subject) { o.gravity.theta = v; }),
       [](const Options& o) -> Json { return o.gravity.theta; }},
      {"gravity", "theta_c", "opening angle of expansions about groups, 0 to 1 (default: as theta)",
       SetNumber([](Options& o, double v, Subject s) { o.gravity.theta_c = not_negative(v, s); }),
       [](const Options& o) -> Json { return o.gravity.effective_theta_c(); }},
      {"gravity", "mac", "opening criterion",
       SetWord([](Options& o, Subject v, Subject s) { o.gravity.mac = parse<Mac>(s, v); }),
       [](const Options& o) -> Json { return name(o.gravity.mac); }, words_to(Mac::relative)},
      {"gravity", "order", "multipoles at particles: 0 (monopole) or 2 (quadrupole)",
       SetInteger([](Options& o, std::int64_t v, Subject s) { o.gravity.order = whole(v, 0, s); }),
       [](const Options& o) -> Json { return o.gravity.order; }},
      {"gravity", "expansion", "order of expansions about groups, 0 (none) to 6",
       SetInteger([](Options& o, std::int64_t v, Subject s) { o.gravity.expansion = whole(v, 0, s); }),
       [](const Options& o) -> Json { return o.gravity.expansion; }},
      {"gravity", "eps", "softening length of all particles (default: the file's, else 0)",
       SetNumber([](Options& o, double v, Subject s) { o.gravity.eps = not_negative(v, s); }),
       [](const Options& o) -> Json { return o.gravity.eps < 0.0 ? Json() : Json(o.gravity.eps); }},
      {"gravity", "softening", "kernel of the softening",
       SetWord([](Options& o, Subject v, Subject s) { o.gravity.softening = parse<Softening>(s, v); }),
       [](const Options& o) -> Json { return name(o.gravity.softening); }, words_to(Softening::spline)},
      {"gravity", "walk", "how the tree is walked",
       SetWord([](Options& o, Subject v, Subject s) { o.gravity.walk = parse<Walk>(s, v); }),
       [](const Options& o) -> Json { return name(o.gravity.walk); }, words_to(Walk::direct)},
      {"gravity", "curve", "order of particles in memory",
       SetWord([](Options& o, Subject v, Subject s) { o.gravity.curve = parse<Curve>(s, v); }),
       [](const Options& o) -> Json { return name(o.gravity.curve); }, words_to(Curve::none)},
      {"gravity", "leaf_size", "most particles in a leaf (default: chosen by the device)",
       SetInteger([](Options& o, std::int64_t v, Subject s) { o.gravity.leaf_size = whole(v, 1, s); }),
       [](const Options& o) -> Json { return o.gravity.leaf_size; }},
      {"gravity", "group_size", "most particles in a group (default: chosen by the device)",
       SetInteger([](Options& o, std::int64_t v, Subject s) { o.gravity.group_size = whole(v, 1, s); }),
       [](const Options& o) -> Json { return o.gravity.group_size; }},
      {"device",
       "backend",
       "what computes",
       SetWord([](Options& o, Subject v, Subject) { o.backend = v; }),
       [](const Options& o) -> Json { return o.backend; },
       {"auto", "cpu", "cuda", "opencl"}},
      {"device", "device", "which device of the backend, from 0",
       SetInteger([](Options& o, std::int64_t v, Subject s) { o.device = whole(v, 0, s); }),
       [](const Options& o) -> Json { return o.device; }},
      {"device", "threads", "CPU threads, 0 (default): all cores",
       SetInteger([](Options& o, std::int64_t v, Subject s) { o.threads = whole(v, 0, s); }),
       [](const Options& o) -> Json { return o.threads; }},
      {"device", "precision", "of sums and differences",
       SetWord([](Options& o, Subject v, Subject s) { o.gravity.precision = parse<Precision>(s, v); }),
       [](const Options& o) -> Json { return name(o.gravity.precision); }, words_to(Precision::fp64)},
  };
}

}  // namespace

std::string Key::flag() const {
  std::string text = std::string("--") + name;
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string Key::type() const {
  if (std::holds_alternative<SetNumber>(set)) return "FLOAT";
  if (std::holds_alternative<SetInteger>(set)) return "INT";
  return fmt::format("{{{}}}", fmt::join(words, ","));
}

const std::vector<Key>& keys() {
  static const std::vector<Key> table = make_keys();
  return table;
}

double checked_number(double value, const std::string& subject) {
  if (!std::isfinite(value) || (value == 0.0 && std::signbit(value))) {
    throw UsageError(subject, fmt::format("received {}", value), "must be a finite number, zero without a sign");
  }
  return value;
}

double number_from_text(const std::string& text, const std::string& subject) {
  return checked_number(parsed<double>(text, subject, "must be a number"), subject);
}

std::int64_t whole_number(double value, const std::string& subject) {
  constexpr double largest = 9007199254740992.0;  // 2^53: beyond it a double skips whole numbers
  if (!(std::abs(value) <= largest) || value != std::floor(value)) {
    throw UsageError(subject, fmt::format("received {}", value), "must be a whole number");
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t integer_from_text(const std::string& text, const std::string& subject) {
  if (text.find_first_of(".eE") != std::string::npos) return whole_number(number_from_text(text, subject), subject);
  return parsed<std::int64_t>(text, subject, "must be a whole number");
}

std::int64_t integer_from_text_in(std::int64_t least, std::int64_t most, const std::string& text,
                                  const std::string& subject) {
  const std::int64_t value = integer_from_text(text, subject);
  if (value < least || value > most) {
    throw UsageError(subject, "received " + text, fmt::format("must be a whole number from {} to {}", least, most));
  }
  return value;
}

void set_from_text(const Key& key, SimulationOptions& options, const std::string& text) {
  const std::string subject = key.flag();
  if (const auto* number = std::get_if<SetNumber>(&key.set)) {
    (*number)(options, number_from_text(text, subject), subject);
  } else if (const auto* integer = std::get_if<SetInteger>(&key.set)) {
    (*integer)(options, integer_from_text(text, subject), subject);
  } else {
    std::get<SetWord>(key.set)(options, text, subject);
  }
}

}  // namespace hornbeam::run
