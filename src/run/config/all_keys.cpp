// SPDX-License-Identifier: Apache-2.0
// Adds to a configuration what it leaves out, see all_keys.h.
#include "run/config/all_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "run/config/keys.h"

namespace hornbeam::run {
namespace {

constexpr std::size_t comment_at = 31, longest_line = 118;
constexpr const char* how_to_read =
    "#\n"
    "# Lines that begin with # do nothing. \"# key = value\" tells what holds without that line: take the # away to "
    "set the\n"
    "# key. Where FLOAT, INT, WORD or the like stands, there is no one value: give one of that kind.\n";

std::string trimmed_end(const std::string& text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

/// Code and the comment behind it, which goes on below where it is long.
std::string with_comment(const std::string& code, const std::string& comment) {
  if (comment.empty()) return code + "\n";
  const std::string below =
      (code.starts_with('#') ? "#" + std::string(comment_at - 1, ' ') : std::string(comment_at, ' '));
  const std::string start = code.size() < comment_at ? code + std::string(comment_at - code.size(), ' ') : code + "  ";
  return start + "# " + wrapped(comment, below + "# ", longest_line - comment_at - 2) + "\n";
}

/// The line with its comment in the column of all.
std::string aligned(const std::string& line) {
  const std::size_t sign = line.find('#');
  if (sign == std::string::npos || sign == 0) return line + "\n";
  return with_comment(trimmed_end(line.substr(0, sign)), line.substr(std::min(sign + 2, line.size())));
}

/// A key that is not set: its default, else what it would take.
std::string left_out(const Key& key) {
  const Json value = default_of(key);
  std::string help = described_beside_default(key);
  if (key.words.size() > 1) help += fmt::format("; one of {}", fmt::join(key.words, ", "));
  const std::string placeholder = key.words.empty() ? key.type() : "WORD";
  return with_comment(fmt::format("# {} = {}", key.name, value.is_null() ? placeholder : value.dump()), help);
}

/// As TOML spells it.
std::string key_name(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

std::string left_out(const ics::Model& model, const ics::Option& option) {
  std::string help = option.help;
  for (const ics::Option& other : model.options) {
    if (other.name.find('-') == std::string::npos) continue;
    for (std::size_t at = 0; (at = help.find(other.name, at)) != std::string::npos;) {
      help.replace(at, other.name.size(), key_name(other.name));
    }
  }
  const std::string& value = option.default_value.empty() ? option.type : option.default_value;
  return with_comment(fmt::format("# {} = {}", key_name(option.name), value), help);
}

std::string unquoted(const std::string& text) {
  const std::size_t first = text.find('"'), last = text.rfind('"');
  return first == last ? text : text.substr(first + 1, last - first - 1);
}

/// Reads the text a line at a time and knows which section it is in.
class Completion {
 public:
  std::string of(const std::string& toml) {
    std::istringstream in(toml);
    for (std::string line; std::getline(in, line);) take(line);
    finish_section();
    for (const Section& section : sections()) {
      const bool is_source = std::string_view(section.name) == "input" || std::string_view(section.name) == "ic";
      if (is_source || seen_.contains(section.name)) continue;
      text_ += "\n" + with_comment(fmt::format("# [{}]", section.name), section.help);
      for (const Key& key : keys()) {
        if (key.section == section.name) text_ += left_out(key);
      }
    }
    return text_;
  }

 private:
  void take(const std::string& line) {
    if (line.starts_with('[')) {
      finish_section();
      section_ = line.substr(1, line.find(']') - 1);
      seen_.insert(section_);
    } else if (const std::size_t sign = line.find('='); sign != std::string::npos && !line.starts_with('#')) {
      const std::string name = trimmed_end(line.substr(0, sign));
      set_.insert(name);
      if (name == "model") model_ = unquoted(line);
    }
    if (line.empty() && seen_.empty()) text_ += how_to_read;
    text_ += aligned(line);
  }

  /// Before the blank lines at the end of a section: the keys that it has not set.
  void finish_section() {
    if (section_.empty()) return;
    const std::size_t end = text_.find_last_not_of('\n') + 1;
    const std::string blanks = text_.substr(std::min(end + 1, text_.size()));
    std::string more;
    for (const Key& key : keys()) {
      if (key.section == section_ && !set_.contains(key.name)) more += left_out(key);
    }
    if (section_ == "ic") more += of_model();
    text_.resize(std::min(end + 1, text_.size()));
    if (!more.empty()) text_ += "# Not set:\n" + more;
    text_ += blanks;
    section_.clear();
    set_.clear();
  }

  [[nodiscard]] std::string of_model() const {
    std::string lines;
    const ics::Model& model = find_model(model_, "ic");
    for (const ics::Option& option : model.options) {
      if (!set_.contains(key_name(option.name))) lines += left_out(model, option);
    }
    return lines;
  }

  std::string text_, section_, model_;
  std::set<std::string> seen_, set_;  ///< sections; keys of the current one
};

}  // namespace

std::string with_all_keys(const std::string& toml) { return Completion().of(toml); }

}  // namespace hornbeam::run
