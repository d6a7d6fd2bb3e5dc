// SPDX-License-Identifier: Apache-2.0
// physics/, stages/ and the walks of one target are three languages at once. All such headers compile in either order
// as C++, CUDA and OpenCL C 1.2, and all of them together make code inside a kernel of each language. Each compiles
// alone as C++, which takes half a minute: PortableLong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "backends/opencl.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

const std::string sources = HORNBEAM_SOURCES;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Not those for C++ alone (#pragma once), nor those that need the words of kernels, by themselves or by a header.
bool is_portable(const std::filesystem::path& header) {
  const std::string text = text_of(header);
  if (text.find("#pragma once") != std::string::npos || text.find("HB_KERNELS_OPEN") != std::string::npos) return false;
  const std::regex included("#include \"([^\"]+\\.h)\"");
  return std::all_of(std::sregex_iterator(text.begin(), text.end(), included), std::sregex_iterator(),
                     [](const std::smatch& name) {
                       const std::filesystem::path path = sources + "/src/" + name[1].str();
                       return !std::filesystem::exists(path) || is_portable(path);
                     });
}

/// physics/curve.h ..., all but the parts that physics/expansion.h and transfer.h put together.
std::vector<std::string> headers() {
  std::vector<std::string> found;
  for (const std::string folder : {"physics", "stages", "walk", "interactions/collisions", "interactions/gravity",
                                   "interactions/groups", "interactions/neighbours", "interactions/sph"}) {
    for (const auto& entry : std::filesystem::directory_iterator(sources + "/src/" + folder)) {
      const std::string name = folder + "/" + entry.path().filename().string();
      if (entry.path().extension() != ".h" || name.find("_order_") != std::string::npos) continue;
      if (is_portable(entry.path())) found.push_back(name);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A file of its own in a folder of its own; both go at the end.
class SourceFile {
 public:
  SourceFile(const std::string& suffix, const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "hornbeam_portable_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    path_ = folder_ / ("source" + suffix);
    std::ofstream(path_) << text;
  }
  ~SourceFile() { std::filesystem::remove_all(folder_); }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  /// Runs `compiler` on the file; what it said, empty where it was content.
  [[nodiscard]] std::string compile(const std::string& compiler, int precision) const {
    const std::string log = (folder_ / "log").string();
    const std::string command = compiler + " -DHB_PRECISION=" + std::to_string(precision) + " -I" + sources +
                                "/src -I" + sources + "/include -I" + sources + "/tests -I" HORNBEAM_GENERATED " " +
                                path_.string() + " >" + log + " 2>&1";
    if (std::system(command.c_str()) == 0) return "";
    std::ifstream said(log);
    return command + "\n" + std::string(std::istreambuf_iterator<char>(said), {});
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path folder_, path_;
};

std::string alone(const std::string& header) { return "#include \"" + header + "\"\n"; }

/// All stages inside a kernel; `kernel` and `item` are the language's words for one and for its index.
std::string all_stages(const std::string& kernel, const std::string& item) {
  return "#include \"backends/portable/every_stage.h\"\n#define GIVE_VIEW(NAME, Type, F, W) , NAME\nHB_OPEN\n" +
         kernel +
         " void every(ParticlesView particles, CellsView cells, u64* keys, u8* marks, u32* top,\n"
         "    LevelTable levels, pos_t* out, KeyCube cube, WalkOptions options\n"
         "    HB_PAIR_VISITORS(HB_EVERY_PAIR_VIEW, , )) {\n"
         "  every_stage(" +
         item +
         ", particles, cells, keys, marks, top, levels, out, cube, options HB_PAIR_VISITORS(GIVE_VIEW, , ));\n"
         "}\nHB_CLOSE\n";
}

std::string cpp_compiler() { return std::string(HORNBEAM_CXX) + " -std=c++20 -ffp-contract=off -Wall -Wextra -Werror"; }

/// All headers one after the other, and in the opposite order: one that lacks an include fails in one of them, unless
/// another one before it in both has it.
std::vector<std::string> all_headers_in_either_order() {
  std::string forwards, backwards;
  for (const std::string& header : headers()) {
    forwards += alone(header);
    backwards = alone(header) + backwards;
  }
  return {forwards, backwards};
}

TEST(PortableLong, EachHeaderCompilesAloneAsCpp) {
  ASSERT_GE(headers().size(), 11U);  // as many as there were when this was written: the folder was found
  // the standard's headers, which take most of the time, compiled once
  const SourceFile standard(".h", "#include <cmath>\n#include <cstdint>\n");
  ASSERT_EQ(standard.compile(cpp_compiler() + " -x c++-header -o " + standard.path() + ".gch", 0), "");
  for (const std::string& header : headers()) {
    const SourceFile file(".cpp", alone(header));  // in one precision: the library has all three
    EXPECT_EQ(file.compile(cpp_compiler() + " -fsyntax-only -include " + standard.path(), 0), "") << header;
  }
}

TEST(Portable, HeadersCompileInEitherOrderAsCpp) {
  for (const std::string& source : all_headers_in_either_order()) {
    EXPECT_EQ(SourceFile(".cpp", source).compile(cpp_compiler() + " -fsyntax-only", 0), "");
  }
}

/// NVIDIA's compiler of OpenCL C knows no macros of any number of arguments; PoCL's does.
TEST(Portable, MacrosHaveAFixedNumberOfArguments) {
  for (const std::string& header : headers()) {
    EXPECT_EQ(text_of(sources + "/src/" + header).find("__VA_ARGS__"), std::string::npos) << header;
  }
}

// In one precision: the library compiles them in all three.
TEST(PortableStages, MakeCodeAsCpp) {
  EXPECT_EQ(SourceFile(".cpp", all_stages("", "0")).compile(cpp_compiler() + " -S -o /dev/null", 0), "");
}

class PortableCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("nvcc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "SKIPPED: nvcc is not on PATH";
  }
  const std::string compiler_ = "nvcc -std=c++20 -arch=sm_90 -Werror all-warnings";
};

TEST_F(PortableCuda, HeadersCompileInEitherOrder) {
  for (const std::string& source : all_headers_in_either_order()) {
    EXPECT_EQ(SourceFile(".cu", source).compile(compiler_ + " -ptx -o /dev/null", 0), "");
  }
}

/// In one precision: where the cuda backend is built, as CI does, nvcc compiles all kernels in all three.
TEST_F(PortableCuda, AllStagesMakeCode) {
  const SourceFile file(".cu", all_stages("__global__", "(i32)threadIdx.x"));
  EXPECT_EQ(file.compile(compiler_ + " -ptx -o /dev/null", 0), "");
}

class PortableOpenCl : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opencl::absent_reason().empty()) GTEST_SKIP() << absent("opencl", opencl::absent_reason());
  }

  /// What the compiler said; empty where it was content.
  static std::string compile([[maybe_unused]] const std::string& source, [[maybe_unused]] int precision) {
#if defined(HORNBEAM_TEST_OPENCL)
    try {
      opencl::compile(*opencl::find_pocl(), source, precision);
      return "";
    } catch (const cl::BuildError& e) {
      std::string log = e.what();
      for (const auto& [device, text] : e.getBuildLog()) log += "\n" + text;
      return log;
    }
#else
    return "never called";
#endif
  }
};

TEST_F(PortableOpenCl, HeadersCompileInEitherOrder) {
  for (const std::string& source : all_headers_in_either_order()) {
    EXPECT_EQ(compile(source + "__kernel void none(void) {}\n", 0), "");
  }
}

using PortableStagesInOpenCl = PortableOpenCl;

// In double alone, which has more words than mixed and single: those are compiled with all kernels (programs_test.cpp).
TEST_F(PortableStagesInOpenCl, MakeCode) {
  EXPECT_EQ(compile(alone("backends/portable/every_stage.cl"), HB_DOUBLE), "");
}

}  // namespace
}  // namespace hornbeam
