// SPDX-License-Identifier: Apache-2.0
// Taking, signing and leaving the lock, see folder_lock.h.
#include "run/folder/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "core/this_process.h"
#include "hornbeam/error.h"

namespace hornbeam::run {
namespace {

constexpr const char* lock_name = "hornbeam.lock";
constexpr const char* signature = "hornbeam: ";  ///< how a lock begins that is ours

std::string named_host() {
  const std::string name = host_name();
  return name.empty() ? "this host" : name;
}

/// The words this process was started with, on one line.
std::string own_command() {
  constexpr std::size_t most = 200;
  std::string words = command_line();
  while (!words.empty() && words.back() == '\0') words.pop_back();
  if (words.size() > most) words = words.substr(0, most) + "...";
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32; };
  std::replace_if(words.begin(), words.end(), is_control, ' ');
  return words;
}

/// "process 12 on host since 2026-01-31 12:00:00 UTC: hornbeam run a.toml", as a lock's file says it; empty where it
/// says nothing.
std::string signed_by(int descriptor) {
  std::array<char, 1024> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  const std::string line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t end = line.find('\n');  // one still being written has none
  if (end == std::string::npos || !line.starts_with(signature)) return "";
  return line.substr(std::strlen(signature), end - std::strlen(signature));
}

/// Who holds the lock: it may be about to sign, over the name of one that was killed.
std::string holder(int descriptor) {
  constexpr int tries = 20;
  for (int i = 0; i < tries; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::string who = signed_by(descriptor);
    if (!who.empty()) return who;
  }
  return "another process";
}

/// Whether the file is one that a lock may write into: empty, or signed if only in part.
bool is_ours(int descriptor) {
  struct stat info {};
  std::array<char, 32> begin{};
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const ssize_t size = pread(descriptor, begin.data(), std::strlen(signature), 0);
  return size >= 0 && std::strncmp(begin.data(), signature, static_cast<std::size_t>(size)) == 0;
}

/// Whether `path` still names the open file: whoever held the lock before takes its file away.
bool is_named(int descriptor, const std::filesystem::path& path) {
  struct stat open {
  }, named{};
  return fstat(descriptor, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder.string()), file_(folder / lock_name) {
  try {
    constexpr int most_tries = 1000;  // each is lost to a process that has come and ended
    for (int i = 0; !take(); ++i) {
      if (i == most_tries) throw Error(file_.string(), "is replaced all the time", "choose another folder");
      close(descriptor_);
    }
    sign();
  } catch (...) {
    if (descriptor_ >= 0) close(descriptor_);
    throw;
  }
}

/// False where the file was taken away meanwhile.
bool FolderLock::take() {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor_ < 0) {
    throw Error(file_.string(), std::string("cannot be opened: ") + std::strerror(errno),
                "choose another folder or its permissions");
  }
  if (!is_ours(descriptor_)) {
    throw Error(file_.string(), "is not a lock file of hornbeam", "move it, or choose another folder");
  }
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) {
      throw Error(folder_, "is in use by " + holder(descriptor_), "wait for it or stop it, or choose another folder");
    }
    note_ = fmt::format("{} cannot be locked ({}): make sure that no other run writes there", folder_,
                        std::strerror(errno));
    break;
  }
  return is_named(descriptor_, file_);
}

void FolderLock::sign() {
  const std::string host = named_host(), before = signed_by(descriptor_);
  if (!before.empty() && before.find(" on " + host + " since ") == std::string::npos) {
    note_ = fmt::format("{} was left by {}, which has ended or is out of reach of this file system's locks",
                        file_.string(), before);
  }
  const std::string line = fmt::format("{}process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC: {}\n", signature, getpid(),
                                       host, fmt::gmtime(std::time(nullptr)), own_command());
  // Where the disk is full it stays unsigned: the lock is the system's, the text is for people.
  if (ftruncate(descriptor_, 0) == 0) static_cast<void>(!pwrite(descriptor_, line.data(), line.size(), 0));
}

FolderLock::~FolderLock() {
  unlink(file_.c_str());  // before the lock is dropped: who waits at this file then finds it unnamed
  close(descriptor_);
}

}  // namespace hornbeam::run
