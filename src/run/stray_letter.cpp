// SPDX-License-Identifier: Apache-2.0
// Follows strings and comments through a TOML text, see stray_letter.h.
#include "run/stray_letter.h"

#include <algorithm>
#include <string>

namespace hornbeam::run {
namespace {

bool beyond_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80u) != 0; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// First place from `at` on that holds none of the blanks.
std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// Place behind the string that begins at `at`, or of a stray letter in it. What does not end goes to the end of the
/// line (one-line strings) or text: the parser will say so.
std::size_t after_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool lines = text.substr(at).starts_with(quote == '"' ? R"(""")" : "'''");
  const std::string_view closing = text.substr(at, lines ? 3 : 1);
  for (at += closing.size(); at < text.size(); ++at) {
    if (text.substr(at).starts_with(closing)) {
      at += closing.size();
      // up to two quotes of the text may stand before those that close it
      for (int more = 0; lines && more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
      return at;
    }
    if (text[at] == '\n' && !lines) return at;
    if (text[at] != '\\' || quote != '"') continue;
    const std::size_t next = lines ? after_blanks(text, at + 1) : at + 1;
    if (lines && next < text.size() && beyond_ascii(text[next])) return next;
    ++at;  // the escaped letter
  }
  return text.size();
}

/// Where the parser would take a quote for the beginning of a string: where a key or value may begin. Elsewhere it
/// reads on through quote and letters as parts of a number or name.
class Beginnings {
 public:
  [[nodiscard]] bool here() const { return fresh_; }

  void pass(char c) {
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
        return;
      case '\n':
      case ',':
        if (in_table() && (c == '\n' || !open_.empty())) has_key_ = false;
        fresh_ = true;
        return;
      case '[':
      case '{':
        if (!fresh_) return;
        open_.push_back(c);
        has_key_ = has_key_ && c == '[';
        return;
      case '=':
        fresh_ = in_table() && !has_key_;
        has_key_ = true;
        return;
      case ']':
      case '}':
        if (!open_.empty()) open_.pop_back();
        has_key_ = true;
        [[fallthrough]];
      default:
        fresh_ = false;
    }
  }

 private:
  [[nodiscard]] bool in_table() const { return open_.empty() || open_.back() == '{'; }

  std::string open_;      ///< brackets
  bool fresh_ = true;     ///< nothing yet of the next key or value
  bool has_key_ = false;  ///< and its equals sign
};

}  // namespace

std::size_t line_of_stray_letter(std::string_view toml) {
  std::size_t at = toml.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark
  Beginnings beginnings;
  while (at < toml.size() && !beyond_ascii(toml[at])) {
    if (toml[at] == '#') {
      at = toml.find('\n', at);
      if (at == std::string_view::npos) return 0;
    } else if (beginnings.here() && (toml[at] == '"' || toml[at] == '\'')) {
      beginnings.pass(toml[at]);
      at = after_string(toml, at);
    } else {
      beginnings.pass(toml[at++]);
    }
  }
  if (at >= toml.size()) return 0;
  std::size_t line = 1;
  for (const char c : toml.substr(0, at)) line += c == '\n' ? 1 : 0;
  return line;
}

std::size_t line_of_long_key(std::string_view toml) {
  std::size_t line = 1;
  int dots = 0;
  for (std::size_t at = 0; at < toml.size(); ++at) {
    const char c = toml[at];
    if (c == '"' || c == '\'') {  // a part of a key as a whole, or no key
      const std::size_t end = std::min(toml.find_first_of(std::string{c, '\n'}, at + 1), toml.size() - 1);
      at = toml[end] == '\n' ? end - 1 : end;
    } else if (c == '#') {
      at = std::min(toml.find('\n', at), toml.size()) - 1;
    } else if (c == '.') {
      if (++dots >= most_key_parts) return line;
    } else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') {
      dots = 0;
      if (c == '\n') ++line;
    }
  }
  return 0;
}

}  // namespace hornbeam::run
