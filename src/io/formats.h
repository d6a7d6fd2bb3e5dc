// SPDX-License-Identifier: Apache-2.0
// Names, extensions and first bytes of the formats.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/io.h"
#include "io/files/bytes.h"

namespace hornbeam::io {

/// The format of the path's extension, if it is a known one.
std::optional<FormatSpec> known_extension(const std::filesystem::path& path);
/// Throws UsageError for a name that ends in .gz, as what is written is not packed.
void refuse_to_pack(const std::filesystem::path& path);
/// The extension that distinguishes the format called `format` from all others.
std::string usual_extension(const std::string& format);
/// What the content looks like.
std::optional<Format> sniff(Bytes file);
/// Throws Error(subject), with the way out, where the content is of a format that is known and not read, as FITS.
void refuse_foreign(Bytes file, const std::string& subject);
/// All that format_named() takes.
std::vector<std::string_view> format_names();
/// "hdf5", "tipsy", ...: the name that chooses a format with its usual variant.
const char* name_of(Format format);

}  // namespace hornbeam::io
