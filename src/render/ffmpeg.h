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
  int frames_per_second = 24;
};

/// The file name of a frame within its folder.
std::string frame_name(std::size_t index);

/// Encodes the frames to an MP4 that browsers play (H.264, else MPEG-4). Throws Error(output) with ffmpeg's words.
void encode_mp4(const std::filesystem::path& ffmpeg, const FrameSequence& frames, const std::filesystem::path& output);

}  // namespace hornbeam::render
