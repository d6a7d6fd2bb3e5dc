// SPDX-License-Identifier: Apache-2.0
// The ffmpeg program as a child process, without a shell.
#pragma once

#include <filesystem>
#include <string>

namespace hornbeam::render {

/// Frames to encode: `folder/frame_00000.png` and on.
struct FrameSequence {
  std::filesystem::path folder;
  std::size_t count = 0;
  std::string frames_per_second = "24";  ///< or a fraction, "3/5"
};

/// The file name of a frame within its folder.
std::string frame_name(std::size_t index);

/// Throws UsageError where the name does not end in .mp4, .webm or .gif.
void refuse_unknown_movie(const std::filesystem::path& output);

/// Encodes the frames to what the name's ending says: an MP4 that browsers play (H.264, else MPEG-4), WebM (VP9, else
/// VP8) or GIF. Throws Error(output) with ffmpeg's words.
void encode(const std::filesystem::path& ffmpeg, const FrameSequence& frames, const std::filesystem::path& output);

}  // namespace hornbeam::render
