// SPDX-License-Identifier: Apache-2.0
// Mapping, buffering and atomic replacement through POSIX calls; the formats sit on top.
#include "io/files/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hornbeam/error.h"

namespace hornbeam::io {
namespace {

namespace fs = std::filesystem;

/// Closes a descriptor at the end of a scope.
struct Descriptor {
  explicit Descriptor(int descriptor) : value(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : value(std::exchange(other.value, -1)) {}
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }

  int value;
};

std::string reason() { return std::strerror(errno); }

/// Opens a regular file for reading. Throws Error(path); O_NONBLOCK, so that a FIFO that no one writes into is no wait.
Descriptor open_regular(const fs::path& path, std::uint64_t& size) {
  const std::string subject = path.string();
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value < 0) throw Error(subject, "cannot open: " + reason());
  struct stat info {};
  if (::fstat(file.value, &info) != 0) throw Error(subject, "cannot read: " + reason());
  if (S_ISDIR(info.st_mode))
    throw Error(subject, "is a folder", "name files in it, such as " + subject + "/snapshot_*.hdf5");
  if (!S_ISREG(info.st_mode)) throw Error(subject, "is not a regular file");
  size = static_cast<std::uint64_t>(info.st_size);
  return file;
}

/// The file a name represents: a link is followed, so that the link survives and its target is replaced.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
  return error || target.empty() ? path : target;
}

/// Unique among the processes and threads that may write the same name at once.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<unsigned> serial{0};
  const std::string name = "." + path.filename().string() + "." + std::to_string(::getpid()) + "." +
                           std::to_string(serial.fetch_add(1)) + ".tmp";
  return path.parent_path() / name;
}

void sync_directory(const fs::path& directory) {
  // Some file systems cannot sync a directory; the rename itself has succeeded, so that is no error.
  const Descriptor opened(::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.value >= 0) ::fsync(opened.value);
}

}  // namespace

std::uint64_t regular_file_size(const fs::path& path) {
  std::uint64_t size = 0;
  open_regular(path, size);
  return size;
}

std::string read_text(const fs::path& path) {
  std::uint64_t size = 0;
  const Descriptor file = open_regular(path, size);
  std::string text;
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t got = ::read(file.value, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(path.string(), "cannot read: " + reason());
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

void refuse_same_file(const fs::path& output, const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    std::error_code absent;  // a file that is not there yet is no other
    if (!fs::equivalent(output, input, absent) || absent) continue;
    throw UsageError(output.string(), "is also the input file" + (output == input ? "" : ", " + input.string()),
                     "give the output another name");
  }
}

fs::path file_to_replace(const fs::path& temporary) {
  // .NAME.PROCESS.NUMBER.tmp, of temporary_beside()
  std::string name = temporary.filename().string();
  const auto cut_number = [&name] {
    const std::size_t dot = name.find_last_of('.');
    const bool number = dot != std::string::npos && dot + 1 < name.size() &&
                        name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
    if (number) name.resize(dot);
    return number;
  };
  if (name.size() < 5 || name.front() != '.' || !name.ends_with(".tmp")) return {};
  name.resize(name.size() - 4);
  if (!cut_number() || !cut_number() || name.size() < 2) return {};
  return temporary.parent_path() / name.substr(1);
}

MappedFile::MappedFile(const fs::path& path) {
  const std::string subject = path.string();
  std::uint64_t size = 0;
  const Descriptor file = open_regular(path, size);
  if (size == 0) throw Error(subject, "is empty (0 bytes)");
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
  if (start == MAP_FAILED) throw Error(subject, "cannot read: " + reason());
  ::madvise(start, size, MADV_SEQUENTIAL);
  bytes_ = Bytes(static_cast<const std::byte*>(start), size);
}

MappedFile::~MappedFile() {
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());  // NOLINT: munmap takes void*, and frees only
}

ReplacedFile::ReplacedFile(const fs::path& final_path)
    : subject_(final_path.string()), final_(resolved(final_path)), temporary_(temporary_beside(final_)) {
  std::error_code error;
  const fs::file_status status = fs::status(final_, error);
  if (fs::is_directory(status)) throw Error(subject_, "is a directory", "give a file name");
  if (fs::exists(status) && !fs::is_regular_file(status)) throw Error(subject_, "is not a regular file");
  if (fs::exists(status) && ::access(final_.c_str(), W_OK) != 0) fail("cannot be replaced");
  ::unlink(temporary_.c_str());  // left by a killed process that had this one's number
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot create a file in its directory");
}

ReplacedFile::~ReplacedFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void ReplacedFile::commit() {
  if (::fsync(descriptor_) != 0) fail("cannot flush to disk");
  if (::rename(temporary_.c_str(), final_.c_str()) != 0) fail("cannot rename to the final name");
  ::close(descriptor_);
  descriptor_ = -1;
  sync_directory(final_.parent_path());
}

std::string remedy_for_room(int error) {
  if (error == ENOSPC || error == EDQUOT) return "free space on that disk, or choose another";
  return error == EFBIG ? "raise the limit of the size of files (ulimit -f)" : "";
}

void ReplacedFile::fail(const char* doing) const {
  const int error = errno;
  throw Error(subject_, std::string(doing) + ": " + reason(), remedy_for_room(error));
}

void FileWriter::write(Bytes bytes) {
  if (buffer_.size() + bytes.size() > capacity) flush();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= capacity) flush();
}

void FileWriter::flush() {
  Bytes rest(buffer_);
  while (!rest.empty()) {
    const ssize_t written = ::write(file_.descriptor(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) file_.fail("cannot write");
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void replace_text(const fs::path& path, const std::string& text) {
  ReplacedFile file(path);
  FileWriter writer(file);
  writer.write(text);
  writer.flush();
  file.commit();
}

}  // namespace hornbeam::io
