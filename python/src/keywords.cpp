// SPDX-License-Identifier: Apache-2.0
// The library's messages name options as the command line has them: in Python they are keywords.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binding.h"
#include "hornbeam/ics.h"

namespace hornbeam::python {
namespace {

/// All flags that messages of the library name (tests/python/test_wrong.py looks for others), those with a value first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> keywords = {{
    {"--from ", "format="},
    {"--units ", "units="},
    {"--from", "format"},
    {"--width", "width"},
    {"--height", "height"},
    {"--planet-density", "planet_density"},
    {"--resume", "resume=True"},
    {"--allow-changes", "allow_changes=True"},
    {"--overwrite", "overwrite=True"},
}};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// Of a subject MODEL.OPTION, where the option's name may have hyphens, the length; 0: it is another one.
std::size_t hyphened_option(const std::string& text) {
  for (const ics::Model& model : ics::models()) {
    for (const ics::Option& option : model.options) {
      const std::string subject = model.name + "." + option.name;
      const auto after = text.substr(0, subject.size()) == subject ? text.substr(subject.size(), 1) : "?";
      if (after == ":" || after == " ") return subject.size();
    }
  }
  return 0;
}

}  // namespace

std::string by_keywords(std::string text) {
  for (const auto& [flag, keyword] : keywords) replace_all(text, flag, keyword);
  const std::size_t subject = hyphened_option(text);
  for (std::size_t i = 0; i < subject; ++i) {
    if (text[i] == '-') text[i] = '_';
  }
  return text;
}

std::vector<std::string> by_keywords(std::vector<std::string> texts) {
  for (std::string& text : texts) text = by_keywords(std::move(text));
  return texts;
}

}  // namespace hornbeam::python
