// SPDX-License-Identifier: Apache-2.0
// Pictures to PNG files.
#include <png.h>

#include <cstddef>
#include <span>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/render.h"
#include "io/files/file.h"

namespace hornbeam::render {
namespace {

std::vector<std::byte> encoded(const Image& image, const std::string& subject) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  header.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0) {
    throw Error(subject, std::string("the picture cannot be encoded: ") + header.message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
  const std::vector<std::byte> bytes = encoded(image, path.string());
  io::ReplacedFile file(path);
  io::FileWriter writer(file);
  writer.write(bytes);
  writer.flush();
  file.commit();
}

}  // namespace hornbeam::render
