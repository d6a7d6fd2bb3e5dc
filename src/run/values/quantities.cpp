// SPDX-License-Identifier: Apache-2.0
// Conversion of values with units, see quantities.h.
#include "run/values/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "run/config/key_dimensions.h"
#include "run/values/named_potentials.h"

namespace hornbeam::run {
namespace {

/// Whether a text begins like "500 Myr" and is no plain number, which the keys themselves judge.
bool is_quantity(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() + text.size();
}

class Taker {
 public:
  Taker(const std::string& subject, const SaidElsewhere& elsewhere, const RunConfig& config)
      : subject_(subject), elsewhere_(elsewhere), config_(config) {}

  void take(toml::table& section, const std::string& name, const KeyDimension& what) {
    toml::node* const node = section.get(what.key);
    if (node == nullptr) return;
    const std::string key = fmt::format("{}: {}.{}", subject_, name, what.key);
    if (toml::array* const list = node->as_array()) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        if (const auto number = converted(*list->get(k), what, key))
          list->replace(list->cbegin() + static_cast<std::ptrdiff_t>(k), *number);
      }
    } else if (const auto number = converted(*node, what, key)) {
      section.insert_or_assign(what.key, *number);
    }
  }
  const Units& units() {
    if (units_) return *units_;
    units_ = config_.units      ? *config_.units
             : elsewhere_.units ? *elsewhere_.units
             : config_.input_file.empty()
                 ? Units{}
                 : read_snapshot(elsewhere_.folder / config_.input_file, {}, config_.reading).units;
    return *units_;
  }

 private:
  /// Nothing for what stays as it is.
  std::optional<double> converted(const toml::node& node, const KeyDimension& what, const std::string& key) {
    const bool is_time = what.dimension == time_dimension;
    const double chosen = chosen_time(config_.units_asked);
    if (node.is_number() && is_time && chosen > 0) {
      return *node.value<double>() / shown_time(units(), chosen).per_unit;
    }
    const auto text = node.is_string() ? node.value<std::string>() : std::nullopt;
    if (!text || !is_quantity(*text)) return {};
    if (what.unit.empty()) return number_from(*text, units(), what.dimension, key);
    return time_from(*text, key) / time_from(what.unit, key);
  }

  const std::string& subject_;
  const SaidElsewhere& elsewhere_;
  const RunConfig& config_;
  std::optional<Units> units_;
};

}  // namespace

void take_quantities(const Units& units, const ShownTime& time, const std::string& subject, ModelRequest& request) {
  for (const ics::Option& option : find_model(request.model, subject).options) {
    const auto given = request.options.find(option.name);
    if (given == request.options.end() || option.dimension == Dimension{}) continue;
    const std::string key = subject + option.name;
    double number = 0;
    const std::string& text = given->second;
    if (is_quantity(text)) {
      number = number_from(text, units, option.dimension, key);
    } else if (option.dimension != time_dimension || time.per_unit == 1 ||
               std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) {
      continue;
    } else {
      number /= time.per_unit;
    }
    given->second = shortest(number);
  }
}

void take_quantities(toml::table& root, const std::string& subject, const SaidElsewhere& elsewhere, RunConfig& config) {
  Taker taker(subject, elsewhere, config);
  expand_potentials(root, subject, [&]() -> const Units& { return taker.units(); });
  for (const KeyDimension& what : key_dimensions()) {
    const std::string name(what.section);
    toml::node* const node = root.get(name);
    if (node == nullptr) continue;
    if (toml::table* const section = node->as_table()) taker.take(*section, name, what);
    if (toml::array* const list = node->as_array()) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        if (toml::table* const one = list->get(k)->as_table()) taker.take(*one, fmt::format("{}[{}]", name, k), what);
      }
    }
  }
  if (!config.ic) return;
  const auto& options = config.ic->options;
  const double chosen = chosen_time(config.units_asked);
  const bool any = std::any_of(options.begin(), options.end(), [](const auto& one) { return is_quantity(one.second); });
  if (!any && chosen <= 0) return;
  const ShownTime time = chosen > 0 ? shown_time(taker.units(), chosen) : ShownTime{};
  take_quantities(taker.units(), time, subject + ": ic.", *config.ic);
}

}  // namespace hornbeam::run
