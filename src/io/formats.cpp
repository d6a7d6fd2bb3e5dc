// SPDX-License-Identifier: Apache-2.0
// Finds the format a path, a name or a file's first bytes represent; io.cpp reads and writes by it.
#include "io/formats.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "hornbeam/error.h"
#include "io/arrays/numpy.h"
#include "io/files/seal.h"
#include "io/gadget/binary.h"
#include "io/nemo.h"
#include "io/tables/csv.h"
#include "io/tipsy.h"

namespace hornbeam {
namespace {

using io::Bytes;

FormatSpec hdf5_stars() {
  FormatSpec spec;
  spec.stars = true;
  return spec;
}

FormatSpec tipsy(bool swapped, bool padded, bool bonsai_ids) {
  FormatSpec spec;
  spec.format = Format::tipsy;
  spec.swapped = swapped;
  spec.padded = padded;
  spec.bonsai_ids = bonsai_ids;
  return spec;
}

FormatSpec gadget(int version, bool swapped, bool double_precision) {
  FormatSpec spec;
  spec.format = Format::gadget;
  spec.gadget_version = version;
  spec.swapped = swapped;
  spec.double_precision = double_precision;
  return spec;
}

FormatSpec csv(Columns columns) {
  FormatSpec spec;
  spec.format = Format::csv;
  spec.columns = columns;
  return spec;
}

FormatSpec numpy(bool archive) {
  FormatSpec spec;
  spec.format = Format::numpy;
  spec.archive = archive;
  return spec;
}

struct Named {
  std::string_view name;
  FormatSpec spec;
};

const std::vector<Named>& names() {
  static const std::vector<Named> all{
      {"hdf5", FormatSpec{}},
      {"hdf5-stars", hdf5_stars()},
      {"tipsy", tipsy(false, true, true)},
      {"tipsy-native", tipsy(false, true, false)},
      {"tipsy-native-unpadded", tipsy(false, false, false)},
      {"tipsy-standard", tipsy(true, true, false)},
      {"tipsy-standard-unpadded", tipsy(true, false, false)},
      {"gadget1", gadget(1, false, false)},
      {"gadget1-double", gadget(1, false, true)},
      {"gadget1-swapped", gadget(1, true, false)},
      {"gadget2", gadget(2, false, false)},
      {"gadget2-double", gadget(2, false, true)},
      {"gadget2-swapped", gadget(2, true, false)},
      {"csv", csv(Columns::header)},
      {"galactics", csv(Columns::galactics)},
      {"agama", csv(Columns::agama)},
      {"npz", numpy(true)},
      {"npy", numpy(false)},
  };
  return all;
}

struct Extension {
  std::string_view extension, format;
};
constexpr Extension extensions[] = {
    {".hdf5", "hdf5"},      {".h5", "hdf5"},    {".tipsy", "tipsy"}, {".tip", "tipsy"}, {".std", "tipsy-standard"},
    {".gadget", "gadget2"}, {".g2", "gadget2"}, {".gad", "gadget2"}, {".csv", "csv"},   {".txt", "csv"},
    {".npz", "npz"},        {".npy", "npy"},    {".ecsv", "csv"}};

const Named* find_name(std::string_view name) {
  const auto found = std::find_if(names().begin(), names().end(), [&](const Named& n) { return n.name == name; });
  return found == names().end() ? nullptr : &*found;
}

}  // namespace

FormatSpec format_of(const std::filesystem::path& path, const std::string& option) {
  io::refuse_to_pack(path);
  if (const auto spec = io::known_extension(path)) return *spec;
  std::string known;
  for (const Extension& e : extensions) known += " " + std::string(e.extension);
  const std::string extension = path.extension().string();
  throw UsageError(
      path.string(), extension.empty() ? "has no extension that names its format" : "unknown extension " + extension,
      (option.empty() ? "" : "name the format with " + option + ", or use an extension; ") + "known:" + known);
}

FormatSpec format_named(const std::string& name, const std::string& subject) {
  if (const Named* found = find_name(name)) return found->spec;
  std::string known;
  for (const Named& n : names()) known += (known.empty() ? "" : ", ") + std::string(n.name);
  if (subject.empty()) throw UsageError(name, "is not a known format", "known: " + known);
  throw UsageError(subject, name + " is not a known format", "known: " + known);
}

namespace io {

void refuse_to_pack(const std::filesystem::path& path) {
  if (path.extension() != ".gz") return;
  const std::string unpacked = std::filesystem::path(path).replace_extension().string();
  throw UsageError(path.string(), "files packed by gzip can be read, but not written",
                   "write " + unpacked + ", then pack it");
}

/// Besides the usual extensions, every format's name is one: what a run writes is known by its name (usual_extension).
std::optional<FormatSpec> known_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  if (extension == ".gz") return known_extension(std::filesystem::path(path).replace_extension());
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const Extension& e : extensions) {
    if (e.extension == extension) return find_name(e.format)->spec;
  }
  const Named* const named = extension.empty() ? nullptr : find_name(std::string_view(extension).substr(1));
  return named == nullptr ? std::nullopt : std::optional(named->spec);
}

std::string usual_extension(const std::string& format) {
  for (const Extension& e : extensions) {
    if (e.format == format) return std::string(e.extension);
  }
  return "." + format;
}

std::optional<Format> sniff(Bytes file) {
  constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
  const auto same = [](char c, std::byte byte) { return byte == static_cast<std::byte>(c); };
  for (const std::size_t at : {std::size_t{0}, seal_size}) {
    if (file.size() >= at + hdf5_signature.size() && std::equal(hdf5_signature.begin(), hdf5_signature.end(),
                                                                file.begin() + static_cast<std::ptrdiff_t>(at), same)) {
      return Format::hdf5;
    }
  }
  if (looks_like_nemo(file)) return Format::nemo;
  if (looks_like_tipsy(file)) return Format::tipsy;
  if (looks_like_gadget_binary(file)) return Format::gadget;
  if (looks_like_numpy(file)) return Format::numpy;
  if (looks_like_text(file)) return Format::csv;
  return std::nullopt;
}

void refuse_foreign(Bytes file, const std::string& subject) {
  const auto begins = [&file](std::string_view text) {
    return file.size() >= text.size() && std::equal(text.begin(), text.end(), file.begin(), [](char c, std::byte byte) {
             return byte == static_cast<std::byte>(c);
           });
  };
  if (begins("SIMPLE  =")) {
    throw Error(subject, "is FITS, which is not read",
                "write it as a table with astropy: Table.read(\"" + subject + "\").write(\"NAME.ecsv\")");
  }
  if (begins("<?xml") || begins("<VOTABLE")) {
    throw Error(subject, "is XML, as VOTable, which is not read",
                "write it as a table with astropy: Table.read(\"" + subject + "\").write(\"NAME.ecsv\")");
  }
  if (begins("PAR1")) throw Error(subject, "is Parquet, which is not read", "write it as CSV, or with numpy.savez");
  if (begins("\x80\x02") || begins("\x80\x03") || begins("\x80\x04") || begins("\x80\x05")) {
    throw Error(subject, "is a pickle of Python, which is not read because it may run code",
                "write it with numpy.savez");
  }
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> all;
  for (const Named& named : names()) all.push_back(named.name);
  return all;
}

const char* name_of(Format format) {
  constexpr const char* texts[] = {"hdf5", "tipsy", "gadget2", "csv", "npz", "nemo"};
  return texts[static_cast<std::size_t>(format)];
}

}  // namespace io
}  // namespace hornbeam
