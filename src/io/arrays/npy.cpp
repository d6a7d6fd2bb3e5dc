// SPDX-License-Identifier: Apache-2.0
// Reads the header of an .npy array, a Python dictionary of three entries, and the numbers behind it.
#include "io/arrays/npy.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "hornbeam/error.h"

namespace hornbeam::io {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

/// The dictionary `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, word for word.
class NpyHeader {
 public:
  NpyHeader(std::string_view text, const std::string& subject) : rest_(text), subject_(subject) {}

  void read(NpyArray& array) {
    demand('{');
    while (!take('}')) {
      const std::string key = quoted();
      demand(':');
      if (key == "descr") {
        read_type(array);
      } else if (key == "fortran_order") {
        array.fortran = truth();
      } else if (key == "shape") {
        array.shape = numbers();
      } else {
        fail("unknown entry " + key);
      }
      found_ += key + " ";
      if (take(',')) continue;
      demand('}');
      break;
    }
    for (const char* key : {"descr ", "fortran_order ", "shape "}) {
      if (found_.find(key) == std::string::npos) fail("no entry " + std::string(key));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(subject_, "the header of its NumPy array is damaged: " + what);
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void demand(char c) {
    if (!take(c)) fail(std::string(1, c) + " is missing");
  }

  std::string quoted() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const auto end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail("a name in quotes is missing");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool truth() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (rest_.substr(0, word.size()) != word) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail("fortran_order is neither True nor False");
  }

  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> found;
    demand('(');
    while (!take(')')) {
      skip_blanks();
      std::uint64_t number = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      if (error != std::errc()) fail("its shape is not made of whole numbers");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      take('L');  // as Python 2 wrote long numbers
      found.push_back(number);
      if (take(',')) continue;
      demand(')');
      break;
    }
    return found;
  }

  void read_type(NpyArray& array) {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[') {
      throw Error(subject_, "is a structured NumPy array", "save each of its fields as an array with np.savez");
    }
    const std::string descr = quoted();
    if (descr.find('O') != std::string::npos) {
      throw Error(subject_, "has Python objects (pickled), which are never read", "save arrays of numbers");
    }
    constexpr std::string_view known[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    const bool has_order = descr.size() == 3 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
    if (!has_order || std::find(std::begin(known), std::end(known), descr.substr(1)) == std::end(known)) {
      throw Error(subject_, "has values of NumPy's type " + descr,
                  "known: f4, f8 and whole numbers of 1, 2, 4 or 8 bytes, in either byte order");
    }
    array.swapped = descr[0] == '>';
    array.kind = descr[1];
    array.width = static_cast<std::size_t>(descr[2] - '0');
  }

  std::string_view rest_;
  const std::string& subject_;
  std::string found_;
};

/// How many numbers an array of that shape has; none where they are more than `most`.
std::optional<std::uint64_t> count_of(const std::vector<std::uint64_t>& shape, std::uint64_t most) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    if (size > most / count) return std::nullopt;
    count *= size;
  }
  return count;
}

/// The number of `bytes` from `at` on, as the widest type of its kind.
template <class One, class Two, class Four, class Eight>
Eight load_whole(Bytes bytes, std::size_t at, std::size_t width, bool swapped) {
  switch (width) {
    case 1:
      return load<One>(bytes, at, swapped);
    case 2:
      return load<Two>(bytes, at, swapped);
    case 4:
      return load<Four>(bytes, at, swapped);
    default:
      return load<Eight>(bytes, at, swapped);
  }
}

std::int64_t load_signed(const NpyArray& array, std::size_t at) {
  return load_whole<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(array.data, at, array.width, array.swapped);
}
std::uint64_t load_unsigned(const NpyArray& array, std::size_t at) {
  return load_whole<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(array.data, at, array.width,
                                                                               array.swapped);
}

}  // namespace

bool NpyArray::has_shape(std::uint64_t rows_asked, std::uint64_t columns_asked) const {
  const bool dimensions_fit = columns_asked == 1 ? shape.size() == 1 || shape.size() == 2 : shape.size() == 2;
  return dimensions_fit && rows() == rows_asked && columns() == columns_asked;
}

std::string NpyArray::shape_text() const {
  std::string text;
  for (const std::uint64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + ")";
}

std::size_t NpyArray::offset(std::uint64_t row, std::uint64_t column) const {
  return width * (fortran ? column * rows() + row : row * columns() + column);
}

double NpyArray::number(std::uint64_t row, std::uint64_t column) const {
  const std::size_t at = offset(row, column);
  if (kind == 'f' && width == 4) return load<float>(data, at, swapped);
  if (kind == 'f') return load<double>(data, at, swapped);
  if (kind == 'i') return static_cast<double>(load_signed(*this, at));
  return static_cast<double>(load_unsigned(*this, at));
}

bool NpyArray::whole(std::uint64_t row, std::uint64_t& value) const {
  if (kind == 'f') {
    constexpr double exact_below = 0x1p53;  // every smaller whole number is a double
    const double found = number(row);
    if (!(found >= 0 && found < exact_below) || found != std::floor(found)) return false;
    value = static_cast<std::uint64_t>(found);
    return true;
  }
  value = load_unsigned(*this, offset(row, 0));
  if (kind != 'i') return true;
  const std::int64_t found = load_signed(*this, offset(row, 0));
  value = static_cast<std::uint64_t>(found);
  return found >= 0;
}

bool looks_like_npy(Bytes file) {
  return file.size() >= npy_magic.size() && std::memcmp(file.data(), npy_magic.data(), npy_magic.size()) == 0;
}

NpyArray parse_npy(Bytes file, const std::string& subject) {
  if (!looks_like_npy(file)) throw Error(subject, "is not a NumPy array: its first bytes differ from those of one");
  const auto need = [&](std::size_t bytes) {
    if (file.size() < bytes) throw Error(subject, "is truncated within the header of its NumPy array");
  };
  need(npy_magic.size() + 2);
  const auto version = load<std::uint8_t>(file, npy_magic.size(), false);
  if (version < 1 || version > 3) {
    throw Error(subject, "has version " + std::to_string(version) + " of NumPy's format", "known: 1, 2 and 3");
  }
  const std::size_t at = npy_magic.size() + 2, size_width = version == 1 ? 2 : 4, start = at + size_width;
  need(start);
  const std::size_t size = version == 1 ? load<std::uint16_t>(file, at, false) : load<std::uint32_t>(file, at, false);
  need(start + size);
  NpyArray array;
  const std::string_view text(reinterpret_cast<const char*>(file.data()) + start, size);  // NOLINT: bytes of text
  NpyHeader(text, subject).read(array);
  array.data = file.subspan(start + size);
  const auto count = count_of(array.shape, array.data.size() / array.width);
  if (!count || *count * array.width != array.data.size()) {
    throw Error(subject, "is truncated or damaged: a NumPy array of " + array.shape_text() + " numbers of " +
                             std::to_string(array.width) + " bytes does not match the " +
                             std::to_string(array.data.size()) + " bytes that follow its header");
  }
  return array;
}

std::string npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape) {
  NpyArray array;
  array.shape = shape;
  std::string sizes = array.shape_text();
  if (shape.size() == 1) sizes.insert(sizes.size() - 1, ",");
  std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + sizes + ", }";
  constexpr std::size_t before = 10, alignment = 64;  // as NumPy aligns what follows
  text.resize((before + text.size() + 1 + alignment - 1) / alignment * alignment - before, ' ');
  text.back() = '\n';
  const std::string version("\x01\x00", 2);
  const std::string length{static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return std::string(npy_magic) + version + length + text;
}

}  // namespace hornbeam::io
