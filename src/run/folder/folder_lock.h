// SPDX-License-Identifier: Apache-2.0
// One process at a time in a folder: whoever writes a run there holds this lock for as long as it lives.
#pragma once

#include <filesystem>
#include <string>

namespace hornbeam::run {

/// A lock on the file hornbeam.lock in the folder, which says who holds it. The system drops the lock with the process,
/// however that ends, so a file that a killed one has left locks no one out.
class FolderLock {
 public:
  /// `folder` must exist. Throws Error naming the process that holds it.
  explicit FolderLock(const std::filesystem::path& folder);
  /// Takes the file away.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Mostly empty. Else why there may yet be another: the file system has no locks, or a process of another host has
  /// left its file here, of which this one cannot know whether it still runs.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  [[nodiscard]] bool take();
  void sign();

  std::string folder_;
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::string note_;
};

}  // namespace hornbeam::run
