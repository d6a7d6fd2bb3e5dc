// SPDX-License-Identifier: Apache-2.0
// Endings of file names, see extension.h.
#include "render/extension.h"

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/render.h"

namespace hornbeam::render {

std::string small_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

void refuse_other_endings(const std::filesystem::path& path, const std::vector<std::string>& endings,
                          const std::string& what) {
  if (std::find(endings.begin(), endings.end(), small_ending(path)) != endings.end()) return;
  std::filesystem::path better = path;
  better.replace_extension(endings.front());
  throw UsageError(path.string(), what, "name it " + better.string());
}

void refuse_other_pictures(const std::filesystem::path& path) {
  refuse_other_endings(path, {".png"}, "pictures are written as PNG");
}

void refuse_other_numbers(const std::filesystem::path& path) {
  refuse_other_endings(path, {".npy"}, "numbers are written as a NumPy array");
}

}  // namespace hornbeam::render
