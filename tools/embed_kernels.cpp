// SPDX-License-Identifier: Apache-2.0
// Build tool: flattens a source for OpenCL and its includes into one text and writes that as a C++ function, so that
// the program carries its kernels with it. #line keeps the names of the real files in a compiler's messages.
//
// embed_kernels SOURCE_FOLDER GENERATED_FOLDER FILE FUNCTION OUTPUT DEPFILE
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class Flattener {
 public:
  /// Files are looked for in each of the folders in turn.
  explicit Flattener(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// Appends `file`, relative to a folder, unless it stands already where no condition could have left it out.
  /// Templates
  /// (*.inc) stand once for each time that they are included.
  void add(const std::string& file) {
    const bool repeats = std::filesystem::path(file).extension() == ".inc";
    for (const std::set<std::string>& scope : scopes_) {
      if (scope.count(file) > 0 && !repeats) return;
    }
    scopes_.back().insert(file);
    const std::filesystem::path path = found(file);
    files_.insert(path.string());
    const std::vector<std::string> lines = read(path);
    const std::size_t least = scopes_.size();
    std::size_t depth = guard_line(lines) < lines.size() ? least - 1 : least;  // an include guard is no condition
    line_directive(1, file);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      depth = follow_condition(lines[k], depth, least);
      follow_language(lines[k]);
      add_line(lines[k], file, k + 1);
    }
  }

  [[nodiscard]] const std::vector<std::string>& text() const { return text_; }
  [[nodiscard]] const std::set<std::string>& files() const { return files_; }

 private:
  void add_line(const std::string& line, const std::string& file, std::size_t number) {
    static const std::regex include(R"re(\s*#\s*include\s+"([^"]+)".*)re");
    static const std::regex once(R"(\s*#\s*pragma\s+once.*)");
    std::smatch found;
    if (std::regex_match(line, found, include)) {
      if (std::find(other_language_.begin(), other_language_.end(), true) == other_language_.end()) add(found[1]);
      line_directive(number + 1, file);
    } else {
      text_.push_back(std::regex_match(line, once) ? "" : line);
    }
  }

  void line_directive(std::size_t number, const std::string& file) {
    text_.push_back("#line " + std::to_string(number) + " \"" + file + "\"");
  }

  [[nodiscard]] std::filesystem::path found(const std::string& file) const {
    for (const std::filesystem::path& folder : folders_) {
      if (std::filesystem::exists(folder / file)) return folder / file;
    }
    throw std::runtime_error("cannot find " + file);
  }

  [[nodiscard]] static std::vector<std::string> read(const std::filesystem::path& path) {
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("cannot read " + path.string());
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  /// What is included under a condition counts as there only until the condition ends: each level of conditions beyond
  /// `least` is a scope. Returns the depth after the line.
  std::size_t follow_condition(const std::string& line, std::size_t depth, std::size_t least) {
    static const std::regex directive(R"(\s*#\s*(if|el|endif).*)");
    std::smatch found;
    if (!std::regex_match(line, found, directive)) return depth;
    if (found[1] == "if" && ++depth > least) scopes_.emplace_back();
    if (found[1] == "el" && depth > least) scopes_.back().clear();
    if (found[1] == "endif" && depth-- > least) scopes_.pop_back();
    return depth;
  }

  /// Notes whether what follows is for other languages alone: nothing is included there.
  void follow_language(const std::string& line) {
    static const std::regex directive(R"(\s*#\s*(if|el|endif).*)");
    std::smatch found;
    if (!std::regex_match(line, found, directive)) return;
    if (found[1] != "if") other_language_.pop_back();
    if (found[1] != "endif") other_language_.push_back(line.find("!defined(__OPENCL_VERSION__)") != std::string::npos);
  }

  /// The line of an include guard's #ifndef: the first directive, with the #define of the same name on the next line.
  static std::size_t guard_line(const std::vector<std::string>& lines) {
    static const std::regex directive(R"(\s*#.*)"), ifndef(R"(\s*#\s*ifndef\s+(\w+)\s*)");
    for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
      std::smatch found;
      if (!std::regex_match(lines[k], directive)) continue;
      if (!std::regex_match(lines[k], found, ifndef)) break;
      if (std::regex_match(lines[k + 1], std::regex(R"(\s*#\s*define\s+)" + found[1].str() + R"(\s*)"))) return k;
      break;
    }
    return lines.size();
  }

  std::vector<std::filesystem::path> folders_;
  std::vector<std::string> text_;
  std::vector<std::set<std::string>> scopes_{1};
  std::set<std::string> files_;
  std::vector<bool> other_language_;  ///< of each condition that is open
};

std::string quoted(const std::string& line) {
  std::string answer = "\"";
  for (const char c : line) {
    if (c == '"' || c == '\\') answer += '\\';
    answer += c;
  }
  return answer + "\\n\"";
}

/// One literal a line: literals have a limit on their length.
std::string as_cpp(const std::vector<std::string>& lines, const std::string& file, const std::string& function) {
  std::ostringstream out;
  out << "// Made from " << file << " by tools/embed_kernels.cpp.\n#include <string>\n\nnamespace hornbeam {\n"
      << "namespace {\nconstexpr const char* lines[] = {\n";
  for (const std::string& line : lines) out << quoted(line) << ",\n";
  out << "};\n}  // namespace\n\nstd::string " << function << "();\nstd::string " << function << "() {\n"
      << "  std::string text;\n  for (const char* line : lines) text += line;\n  return text;\n}\n\n"
      << "}  // namespace hornbeam\n";
  return out.str();
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::cerr << "embed_kernels: error: needs SOURCE_FOLDER GENERATED_FOLDER FILE FUNCTION OUTPUT DEPFILE\n";
    return 2;
  }
  try {
    const std::string file = arguments[3], output = arguments[5];
    Flattener flattener({arguments[1], arguments[2]});
    flattener.add(file);
    std::string dependencies = output + ":";
    for (const std::string& each : flattener.files()) dependencies += " \\\n  " + each;
    write(output, as_cpp(flattener.text(), file, arguments[4]));
    write(arguments[6], dependencies + "\n");
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "embed_kernels: error: " << e.what() << "\n";
    return 1;
  }
}
