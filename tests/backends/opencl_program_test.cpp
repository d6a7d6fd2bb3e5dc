// SPDX-License-Identifier: Apache-2.0
// Programs of an OpenCL device: built from any source, kept on disk, and built again where what is kept is no good.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hornbeam/error.h"
#include "support/devices.h"

#if defined(HORNBEAM_OPENCL)
#include "device/opencl/opencl_program.h"

namespace hornbeam {
namespace {

const std::string source =
    "__kernel void scale(__global uint* x, uint factor, __global uint* extra) {\n"
    "  x[get_global_id(0)] = x[get_global_id(0)] * factor + OFFSET + (extra ? extra[0] : 0);\n"
    "}\n";

class OpenClPrograms : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<OpenClDescription> list = describe_opencl_devices(calls);
    if (list.empty()) GTEST_SKIP() << absent("opencl", "no OpenCL device (package pocl-opencl-icd)");
    const char* index = std::getenv("HORNBEAM_TEST_OPENCL_DEVICE");
    context = std::make_unique<OpenClContext>(calls, list.at(index == nullptr ? 0 : std::stoul(index)));
    std::string pattern = (std::filesystem::temp_directory_path() / "hornbeam_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    if (!folder.empty()) std::filesystem::remove_all(folder);
  }

  /// Builds with a builder of its own and runs the result; whether the device's compiler worked.
  bool builds(const std::filesystem::path& cache, const std::string& options = "-DOFFSET=5") {
    OpenClBuilder builder(*context, cache);
    const auto program = builder.build("scale", source, options);
    EXPECT_EQ(run(*program), 3U * 7U + 5U);
    EXPECT_EQ(builder.compiled() + builder.reused(), 1);
    return builder.compiled() == 1;
  }

  std::uint32_t run(OpenClProgram& program) {
    std::uint32_t word = 7;
    cl_mem memory = context->allocate(sizeof(word));
    context->upload(memory, 0, &word, sizeof(word));
    // an empty buffer's handle is null, and a legal argument
    void* handle = memory;
    void* none = nullptr;
    context->launch(program.kernel("scale"), "scale", 1, 1, Arguments(handle, std::uint32_t{3}, none));
    context->download(&word, memory, 0, sizeof(word));
    context->release(memory);
    return word;
  }

  std::filesystem::path only_file() {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_TRUE(found.empty()) << "one program, one file: " << entry.path();
      found = entry.path();
    }
    return found;
  }

  OpenClCalls calls = load_opencl();
  std::unique_ptr<OpenClContext> context;
  std::filesystem::path folder;
};

TEST_F(OpenClPrograms, AreCompiledOnce) {
  EXPECT_TRUE(builds(folder));
  EXPECT_FALSE(builds(folder));
  EXPECT_FALSE(only_file().empty());
  EXPECT_TRUE(builds(folder, "-DOFFSET=2+3"));  // other options, another program
  EXPECT_FALSE(builds(folder, "-DOFFSET=2+3"));
}

TEST_F(OpenClPrograms, AreSharedByContextsOfOneDevice) {
  const OpenClContext other(calls, context->description());
  EXPECT_EQ(&other.driver(), &context->driver());
  OpenClBuilder builder(*context, {});
  const auto program = builder.build("scale", source, "-DOFFSET=5");
  OpenClProgram again(*context, program->built());
  EXPECT_NE(program->kernel("scale"), again.kernel("scale")) << "arguments of kernels are state";
  EXPECT_EQ(run(*program), run(again));
}

TEST_F(OpenClPrograms, DoWithoutACache) {
  EXPECT_TRUE(builds({}));
  EXPECT_TRUE(builds("/dev/null/not a folder"));
  EXPECT_TRUE(builds("/proc"));
}

TEST_F(OpenClPrograms, RecoverFromADamagedFile) {
  builds(folder);
  const std::filesystem::path file = only_file();
  const auto size = std::filesystem::file_size(file);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(size - 10));
    stream << "damaged";
  }
  EXPECT_TRUE(builds(folder));
  EXPECT_FALSE(builds(folder));  // and mended
  std::filesystem::resize_file(file, size / 2);
  EXPECT_TRUE(builds(folder));
  std::filesystem::resize_file(file, 0);
  EXPECT_TRUE(builds(folder));
  EXPECT_FALSE(builds(folder));
}

TEST_F(OpenClPrograms, RecoverFromAForeignFile) {
  builds(folder);
  const std::filesystem::path file = only_file();
  builds(folder, "-DOFFSET=6-1");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path() != file) std::filesystem::rename(entry.path(), file);  // another program under this one's name
  }
  EXPECT_TRUE(builds(folder));
  // a whole file that the driver refuses
  const OpenClBuilder builder(*context, folder);
  BinaryCache(folder).keep(builder.identity(source, "-DOFFSET=5"), "no program at all");
  EXPECT_TRUE(builds(folder));
  EXPECT_FALSE(builds(folder));
}

TEST_F(OpenClPrograms, SayWhatTheCompilerSaid) {
  OpenClBuilder builder(*context, folder);
  const std::string broken = "#line 12 \"stages/broken.h\"\n__kernel void f(void) { undeclared = 1; }\n";
  try {
    builder.build("broken", broken, "");
    FAIL() << "it has no meaning";
  } catch (const Error& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find("CL_BUILD_PROGRAM_FAILURE"), std::string::npos) << said;
    EXPECT_NE(said.find(context->description().name), std::string::npos) << said;
    // NVIDIA's driver names neither file nor line of a #line directive
    const bool follows_lines = context->description().name.find("NVIDIA") == std::string::npos;
    if (follows_lines) {
      EXPECT_NE(said.find("stages/broken.h:12"), std::string::npos) << said;
    }
    EXPECT_NE(said.find("undeclared"), std::string::npos) << said;
  }
  EXPECT_EQ(builder.compiled(), 0);
}

TEST_F(OpenClPrograms, NameTheKernelOrArgumentThatIsWrong) {
  OpenClBuilder builder(*context, {});
  const auto program = builder.build("scale", source, "-DOFFSET=5");
  EXPECT_THROW(program->kernel("no_such_kernel"), Error);
  try {
    context->launch(program->kernel("scale"), "scale", 1, 1, Arguments(std::uint64_t{0}, std::uint64_t{0}));
    FAIL() << "a factor of eight bytes";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("argument 1 of scale failed: CL_INVALID_ARG_SIZE"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace hornbeam
#else
TEST(OpenClPrograms, AreNotBuilt) {
  GTEST_SKIP() << hornbeam::absent("opencl", "built without OpenCL (package opencl-c-headers or ocl-icd-opencl-dev)");
}
#endif
