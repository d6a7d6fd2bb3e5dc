// SPDX-License-Identifier: Apache-2.0
// Writes lists of neighbours, see neighbour_lists.h.
#include "io/neighbour_lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hornbeam/error.h"
#include "io/arrays/npy.h"
#include "io/arrays/zip.h"
#include "io/files/file.h"
#include "io/hdf5/hdf5.h"

namespace hornbeam::io {
namespace {

constexpr std::uint64_t pairs_at_once = 1 << 16;

/// act(first, distances) for the distances of all pairs, in blocks.
template <class Act>
void in_blocks_of_distances(const NeighbourLists& lists, const Act& act) {
  std::vector<double> block;
  for (std::uint64_t first = 0; first < lists.distance2.size(); first += pairs_at_once) {
    const std::uint64_t count = std::min<std::uint64_t>(pairs_at_once, lists.distance2.size() - first);
    block.resize(count);
    for (std::uint64_t i = 0; i < count; ++i) block[i] = std::sqrt(lists.distance2[first + i]);
    act(first, block);
  }
}

template <class T>
void write_dataset(const Hdf5Group& root, const char* name, hid_t type, const std::vector<T>& values) {
  Hdf5Writer dataset = root.create_dataset(name, type, values.size(), 1);
  if (!values.empty()) dataset.rows(0, values.size(), values.data());
}

void write_hdf5_neighbours(const ReplacedFile& target, const FoundNeighbours& found) {
  const Hdf5Quiet quiet;
  Hdf5File file = Hdf5File::create(target);
  {
    const Hdf5Group root = file.root();
    for (const auto& [name, value] : found.asked) root.write_attribute(name, value);
    write_dataset(root, "id", H5T_NATIVE_UINT64, found.id);
    if (found.lists.offset.empty()) {
      write_dataset(root, "count", H5T_NATIVE_UINT32, found.count);
    } else {
      write_dataset(root, "offset", H5T_NATIVE_UINT64, found.lists.offset);
      write_dataset(root, "index", H5T_NATIVE_UINT32, found.lists.index);
      Hdf5Writer distance = root.create_dataset("distance", H5T_NATIVE_DOUBLE, found.lists.index.size(), 1);
      in_blocks_of_distances(found.lists, [&](std::uint64_t first, const std::vector<double>& block) {
        distance.rows(first, block.size(), block.data());
      });
    }
  }
  file.close();
}

template <class T>
void add_member(ZipWriter& zip, const std::string& name, const char* descr, const std::vector<T>& values) {
  const std::string header = npy_header(descr, {values.size()});
  zip.add(name + ".npy", [&](const ZipWriter::Sink& sink) {
    sink(std::as_bytes(std::span(header)));
    sink(std::as_bytes(std::span(values)));
  });
}

void write_npz_neighbours(FileWriter& out, const FoundNeighbours& found) {
  ZipWriter zip(out);
  for (const auto& asked : found.asked) {
    const std::string header = npy_header("<f8", {});
    zip.add(asked.first + ".npy", [&](const ZipWriter::Sink& sink) {
      sink(std::as_bytes(std::span(header)));
      sink(std::as_bytes(std::span(&asked.second, 1)));
    });
  }
  add_member(zip, "id", "<u8", found.id);
  if (found.lists.offset.empty()) {
    add_member(zip, "count", "<u4", found.count);
  } else {
    add_member(zip, "offset", "<u8", found.lists.offset);
    add_member(zip, "index", "<u4", found.lists.index);
    const std::string header = npy_header("<f8", {found.lists.index.size()});
    zip.add("distance.npy", [&](const ZipWriter::Sink& sink) {
      sink(std::as_bytes(std::span(header)));
      in_blocks_of_distances(
          found.lists, [&](std::uint64_t, const std::vector<double>& block) { sink(std::as_bytes(std::span(block))); });
    });
  }
  zip.finish();
}

/// Numbers between commas, in the shortest form that reads back to the same bits.
template <class... Numbers>
void write_row(FileWriter& out, Numbers... numbers) {
  std::array<char, 32 * sizeof...(numbers)> text{};  // the longest takes 24, and a comma
  char* end = text.data();
  const auto add = [&](auto number) {
    if (end != text.data()) *end++ = ',';
    end = std::to_chars(end, text.data() + text.size() - 1, number).ptr;
  };
  (add(numbers), ...);
  *end++ = '\n';
  out.write(std::as_bytes(std::span(text.data(), end)));
}

void write_csv_neighbours(FileWriter& out, const FoundNeighbours& found) {
  if (found.lists.offset.empty()) {
    out.write("particle,id,count\n");
    for (std::size_t i = 0; i < found.count.size(); ++i) write_row(out, i, found.id[i], found.count[i]);
    return;
  }
  out.write("particle,neighbour,distance\n");
  for (std::size_t i = 0; i + 1 < found.lists.offset.size(); ++i) {
    for (std::uint64_t k = found.lists.offset[i]; k < found.lists.offset[i + 1]; ++k) {
      write_row(out, i, found.lists.index[k], std::sqrt(found.lists.distance2[k]));
    }
  }
}

}  // namespace

void check_neighbour_file(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  for (const char* known : {".hdf5", ".h5", ".npz", ".csv"}) {
    if (extension == known) return;
  }
  throw UsageError(path.string(), "neighbours cannot be written with this extension", "known: .hdf5 .h5 .npz .csv");
}

void write_neighbours(const std::filesystem::path& path, const FoundNeighbours& found) {
  check_neighbour_file(path);
  ReplacedFile file(path);
  FileWriter out(file);
  if (path.extension() == ".csv") {
    write_csv_neighbours(out, found);
  } else if (path.extension() == ".npz") {
    write_npz_neighbours(out, found);
  } else {
    write_hdf5_neighbours(file, found);
  }
  out.flush();
  file.commit();
}

}  // namespace hornbeam::io
