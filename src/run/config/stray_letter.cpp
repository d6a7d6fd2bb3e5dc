// SPDX-License-Identifier: Apache-2.0
// Follows strings and comments through a TOML text, see stray_letter.h.
#include "run/config/stray_letter.h"

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
      case '.':  // a part of a key may have quotes of its own
        fresh_ = in_table() && !has_key_;
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

/// Line, counted from 1, of the place `at`.
std::size_t line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// The letters of a text that stand outside of its strings and comments, one after the other.
class Outside {
 public:
  explicit Outside(std::string_view text) : text_(text), at_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0) { skip(); }

  [[nodiscard]] bool ends() const { return at_ >= text_.size(); }
  [[nodiscard]] char letter() const { return text_[at_]; }
  [[nodiscard]] std::size_t line() const { return line_of(text_, at_); }
  void next() {
    beginnings_.pass(text_[at_++]);
    skip();
  }

 private:
  /// Over comments and strings, to a stray letter in one of these.
  void skip() {
    while (!ends()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (beginnings_.here() && (text_[at_] == '"' || text_[at_] == '\'')) {
        beginnings_.pass(text_[at_]);
        at_ = after_string(text_, at_);
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_;
  Beginnings beginnings_;
};

}  // namespace

std::size_t line_of_stray_letter(std::string_view toml) {
  Outside outside(toml);
  while (!outside.ends() && !beyond_ascii(outside.letter())) outside.next();
  return outside.ends() ? 0 : outside.line();
}

std::size_t line_of_long_key(std::string_view toml) {
  int dots = 0;
  for (Outside outside(toml); !outside.ends(); outside.next()) {
    const char c = outside.letter();
    if (c == '.' && ++dots >= most_key_parts) return outside.line();
    if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots = 0;
  }
  return 0;
}

}  // namespace hornbeam::run
