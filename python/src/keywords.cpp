// SPDX-License-Identifier: Apache-2.0
// The library's messages name options as the command line has them: in Python they are keywords.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "binding.h"
#include "hornbeam/ics.h"

namespace hornbeam::python {
namespace {

/// A flag in a message of the library, with the words about it by which it is known: what people give, paths above all,
/// stays as it is.
struct Flag {
  std::string_view before, flag, after, keyword;
};

/// All of them (tests/python/test_wrong.py looks for others).
constexpr std::array<Flag, 18> flags = {{
    {"format with ", "--from", " ", "format="},
    {"format with ", "--from", ")", "format)"},
    {"apply a and h with ", "--physical", " or input.physical)", "physical=True)"},
    {"name all blocks in order with ", "--blocks", " or input.blocks", "blocks"},
    {"a smaller ", "--width", " and ", "width and "},
    {"a smaller width and ", "--height", "", "height"},
    {", or give their ", "--model", ")", "model=)"},
    {"(give ", "--planet-density", ", or measure", "planet_density, or measure"},
    {"(give ", "--units", " ", "units="},
    {"check that the units are those of G (", "--units", " ", "units="},
    {"then continue with ", "--resume", ")", "resume=True)"},
    {"(run without ", "--resume", ")", "resume=True)"},
    {"(continue it with ", "--resume", ", replace", "resume=True, replace"},
    {"replace it with ", "--overwrite", ", or choose", "overwrite=True, or choose"},
    {"or begin anew with ", "--overwrite", ")", "overwrite=True)"},
    {"(restore it, or give ", "--allow-changes", ")", "allow_changes=True)"},
    {"", "--resume", ": the configuration differs", "resume=True: the configuration differs"},
    {"", "--overwrite", ": would remove ", "overwrite=True: would remove "},
}};

/// Where what is to be done begins, the last brackets; the end where there is nothing.
std::size_t remedy_of(const std::string& text) {
  if (text.empty() || text.back() != ')') return text.size();
  int open = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    open += text[at] == ')' ? 1 : text[at] == '(' ? -1 : 0;
    if (open == 0) return at;
  }
  return text.size();
}

void replace_flag(std::string& text, const Flag& one) {
  const std::string whole = std::string(one.before) + std::string(one.flag) + std::string(one.after);
  const bool is_subject = one.before.empty();
  const std::size_t at = is_subject ? 0 : text.find(whole, remedy_of(text));
  if (at == std::string::npos || text.compare(at, whole.size(), whole) != 0) return;
  text.replace(at + one.before.size(), one.flag.size() + one.after.size(), one.keyword);
}

/// What is reported of names of files alone, one of which may be called as an option is.
constexpr std::array<std::string_view, 6> of_files = {": unknown extension ", ": pictures are ",  ": movies are ",
                                                      ": no snapshots ",      ": groups cannot ", ": has the name "};

bool is_of_file(std::string_view said) {
  return std::any_of(of_files.begin(), of_files.end(), [&](std::string_view words) { return said.starts_with(words); });
}

/// Of a subject MODEL.OPTION, where the option's name may have hyphens, the length; 0: it is another one.
std::size_t hyphened_option(const std::string& text) {
  for (const ics::Model& model : ics::models()) {
    for (const ics::Option& option : model.options) {
      const std::string subject = model.name + "." + option.name;
      const auto after = text.substr(0, subject.size()) == subject ? text.substr(subject.size(), 1) : "?";
      if ((after == ":" || after == " ") && !is_of_file(std::string_view(text).substr(subject.size())))
        return subject.size();
    }
  }
  return 0;
}

}  // namespace

std::string by_keywords(std::string text, bool of_request) {
  for (const Flag& one : flags) {
    if (of_request || !one.before.empty()) replace_flag(text, one);
  }
  const std::size_t subject = of_request ? hyphened_option(text) : 0;  // otherwise it is a file
  for (std::size_t i = 0; i < subject; ++i) {
    if (text[i] == '-') text[i] = '_';
  }
  return text;
}

std::vector<std::string> by_keywords(std::vector<std::string> texts) {
  for (std::string& text : texts) text = by_keywords(std::move(text), false);
  return texts;
}

}  // namespace hornbeam::python
