// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/binary_cache.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace hornbeam {
namespace {

/// What stands before the binary: whose it is, and its own hash, so that a driver never sees a damaged one.
std::string heading(const std::string& identity, const std::string& binary) {
  return "hornbeam program 1\n" + identity + "\n" + std::to_string(binary.size()) + " " + hash_text(binary) + "\n";
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return file ? std::string(std::istreambuf_iterator<char>(file), {}) : "";
}

bool write_all(int file, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = write(file, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

std::filesystem::path default_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::filesystem::path(cache) / "hornbeam";  // relative: not valid
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::filesystem::path(home) / ".cache" / "hornbeam";
  return {};
}

std::string hash_text(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::filesystem::path BinaryCache::file_of(const std::string& identity) const {
  return folder_ / ("opencl-" + hash_text(identity) + ".bin");
}

std::optional<std::string> BinaryCache::find(const std::string& identity) const {
  if (!keeps()) return std::nullopt;
  const std::string stored = read_file(file_of(identity));
  // the binary starts after the line that follows the identity; heading() of what is found must be what is there
  const std::size_t named = heading(identity, "").find(identity) + identity.size() + 1;
  const std::size_t end = stored.find('\n', named);
  if (stored.size() < named || end == std::string::npos) return std::nullopt;
  std::string binary = stored.substr(end + 1);
  if (binary.empty() || stored.compare(0, end + 1, heading(identity, binary)) != 0) return std::nullopt;
  return binary;
}

void BinaryCache::keep(const std::string& identity, const std::string& binary) const {
  if (!keeps() || binary.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  std::string temporary = (folder_ / "opencl-XXXXXX").string();
  const int file = mkstemp(temporary.data());
  if (file < 0) return;
  const bool whole = write_all(file, heading(identity, binary) + binary);
  close(file);
  // renamed only when whole: another process never sees half a file
  if (whole) std::filesystem::rename(temporary, file_of(identity), ignored);
  if (!whole || ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace hornbeam
