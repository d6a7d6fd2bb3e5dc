// SPDX-License-Identifier: Apache-2.0
// Compiled programs kept on disk from run to run, so that a device's compiler works once. Used by OpenClBuilder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hornbeam {

/// $XDG_CACHE_HOME/hornbeam, else ~/.cache/hornbeam; empty where neither variable is set.
std::filesystem::path default_cache_folder();

/// A 64-bit FNV-1a hash as 16 hexadecimal digits.
std::string hash_text(const std::string& text);

/// Files named by hash. Nothing here is an error: a folder that cannot be written keeps nothing, a file that is cut
/// short, changed or another program's is not found.
class BinaryCache {
 public:
  /// folder: made when first written; empty: keeps nothing.
  explicit BinaryCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] bool keeps() const { return !folder_.empty(); }
  /// What keep() last stored under the same identity.
  [[nodiscard]] std::optional<std::string> find(const std::string& identity) const;
  void keep(const std::string& identity, const std::string& binary) const;
  [[nodiscard]] std::filesystem::path file_of(const std::string& identity) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace hornbeam
