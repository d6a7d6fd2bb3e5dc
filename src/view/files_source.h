// SPDX-License-Identifier: Apache-2.0
// Snapshots in a folder, which may be growing, or one file; energies and seconds of the run next to them.
#pragma once

#include <filesystem>
#include <functional>
#include <list>
#include <mutex>
#include <vector>

#include "view/source.h"

namespace hornbeam::view {

class FilesSource : public Source {
 public:
  /// Reads a snapshot with its box and its gas.
  using Reader = std::function<Snapshot(const std::filesystem::path&)>;

  /// Throws Error where nothing is at `path`. most: as make_frame() takes it.
  FilesSource(std::filesystem::path path, std::size_t most, Reader reader);

  Json state() override;
  std::optional<FrameFound> frame(const FrameWish& wish) override;
  Json energy() override;
  void control(Control what) override;

 private:
  /// What was made of a file as it was then.
  struct Kept {
    std::filesystem::path file;
    std::filesystem::file_time_type written;
    std::shared_ptr<const Frame> frame;
    std::size_t bytes = 0;
  };

  [[nodiscard]] std::vector<std::filesystem::path> files() const;
  std::shared_ptr<const Frame> frame_of(const std::filesystem::path& file, const std::string& colour);
  void keep(Kept made);

  std::filesystem::path path_;
  bool is_folder_;
  std::size_t most_;
  Reader reader_;
  std::mutex mutex_;      ///< of what follows; held while a file is read, one at a time
  std::list<Kept> kept_;  ///< the last used first
};

}  // namespace hornbeam::view
