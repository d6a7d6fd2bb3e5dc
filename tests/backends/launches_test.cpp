// SPDX-License-Identifier: Apache-2.0
// Launches of kernels are typed: what the host gives is what the kernel's signature takes, and anything else does not
// compile.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <type_traits>

#include "interactions/collisions/kernels/launches.h"
#include "interactions/gravity/kernels/hierarchy/launches.h"
#include "interactions/gravity/kernels/launches.h"
#include "interactions/groups/kernels/launches.h"
#include "interactions/neighbours/kernels/launches.h"
#include "interactions/sph/kernels/launches.h"
#include "pair_visitors.h"

namespace hornbeam {
namespace {

// The type of every kernel as devices declare it.
namespace signatures {
using namespace mixed;
#define HB_DECLARE(name) using name = void(HB_SIGNATURE(name));
HB_ALL_KERNELS(HB_DECLARE, HB_DECLARE)
#undef HB_DECLARE
}  // namespace signatures

template <class Parameter, class Given>
constexpr bool takes = std::is_same_v<Parameter, Given>;
template <class T>
constexpr bool takes<T*, ArrayArgument<T>> = true;
template <class T>
constexpr bool takes<T*, OptionalArgument<T>> = true;

/// Compiles where a launch gives a kernel its parameters, one by one.
template <class Launch, class... Parameter>
constexpr int checked(void (*)(Parameter...)) {
  [[maybe_unused]] const auto check = [](const Launch& launch) {
    launch.with_arguments([](const auto&... given) {
      static_assert(sizeof...(given) == sizeof...(Parameter) && sizeof...(given) <= Arguments::most);
      static_assert((takes<Parameter, std::remove_cvref_t<decltype(given)>> && ...));
    });
  };
  return 1;
}

TEST(Launches, GiveEveryKernelItsParameters) {
#define HB_CHECKED(name) +checked<mixed::kernels::name>(static_cast<signatures::name*>(nullptr))
  const int kernels = 0 HB_ALL_KERNELS(HB_CHECKED, HB_CHECKED);
#undef HB_CHECKED
  EXPECT_GT(kernels, 50);
}

/// The kernels that their headers declare with HB_WARP_KERNEL or HB_GATHER_KERNEL, or with the words for those of
/// items; in templates, NAME(of_...), once for each visitor of pairs, of those that search or gather, and HB_UNIT(...)
/// once for each size of units.
std::set<std::string> declared(bool by_warp) {
  std::set<std::string> names;
#define HB_VISITOR(NAME, Type, F, W) #NAME,
  const std::vector<std::string> searches{HB_PAIR_SEARCHES(HB_VISITOR, , )};
  const std::vector<std::string> gatherers{HB_PAIR_GATHERERS(HB_VISITOR, , )};
#undef HB_VISITOR
  const std::vector<std::string> units{"_16", "_24", "_32", "_48", "_64", "_96", "_each_32", "_each_96"};
  const std::regex kernel(R"(HB_(\w*)KERNEL\((NAME\(|HB_UNIT\()?(\w+)\)?\) \{)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(HORNBEAM_SOURCES) + "/src")) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".inc") continue;
    std::ifstream file(entry.path());
    const auto& named = entry.path().filename() == "pairs_warp.inc" ? searches : gatherers;
    std::smatch found;
    for (std::string line; std::getline(file, line);) {
      if (!std::regex_match(line, found, kernel)) continue;
      if ((found[1] == "WARP_" || found[1] == "GATHER_" || found[1] == "UNIT_") != by_warp) continue;
      if (found[2] == "HB_UNIT(") {
        for (const std::string& size : units) names.insert(found[3].str() + size);
        continue;
      }
      const std::vector<std::string> once{""};
      for (const std::string& visitor : found[2].matched ? named : once)
        names.insert((visitor.empty() ? visitor : visitor + "_") + found[3].str());
    }
  }
  return names;
}

TEST(Launches, AreByTheWarpWhereTheKernelIs) {
#define HB_NOTED(name) (mixed::kernels::name::by_warp ? warps : items).insert(#name);
  std::set<std::string> items, warps;
  HB_ALL_KERNELS(HB_NOTED, HB_NOTED)
#undef HB_NOTED
  EXPECT_EQ(items, declared(false));
  EXPECT_EQ(warps, declared(true));
}

TEST(Launches, ArgumentsStandInOrderAndUnchanged) {
  const Arguments arguments(std::int32_t{-3}, 0.25, std::uint8_t{7}, std::uint64_t{1} << 40);
  ASSERT_EQ(arguments.items().size(), 4U);
  const auto item = [&](std::size_t k) { return arguments.items()[k]; };
  EXPECT_EQ(*static_cast<const std::int32_t*>(item(0).value), -3);
  EXPECT_EQ(*static_cast<const double*>(item(1).value), 0.25);
  EXPECT_EQ(item(2).bytes, 1U);
  EXPECT_EQ(*static_cast<const std::uint64_t*>(item(3).value), std::uint64_t{1} << 40);
}

/// Values of the lines that end in `// wrong`.
std::set<int> marked_lines(const std::string& path) {
  std::ifstream file(path);
  std::set<int> lines;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("// wrong")) lines.insert(number);
  }
  return lines;
}

#if defined(__clang__)  // members out of order only bring a warning, and errors end after twenty
constexpr const char* all_errors = " -pedantic-errors -ferror-limit=0";
#else
constexpr const char* all_errors = "";
#endif

/// Values of the lines of which the compiler says that they are in error.
std::set<int> lines_in_error(const std::string& path) {
  std::string folder = (std::filesystem::temp_directory_path() / "hornbeam_launches_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const std::string log = folder + "/log", sources = HORNBEAM_SOURCES;
  const std::string command = std::string(HORNBEAM_CXX) + all_errors + " -std=c++20 -fsyntax-only -I" + sources +
                              "/src -I" + sources + "/include -I" HORNBEAM_GENERATED " " + path + " >" + log + " 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
  std::set<int> lines;
  std::ifstream said(log);
  const std::regex error(R"(.*wrong\.cpp:(\d+):\d+: error: .*)");
  std::smatch found;
  for (std::string line; std::getline(said, line);) {
    if (std::regex_match(line, found, error)) lines.insert(std::stoi(found[1]));
  }
  std::filesystem::remove_all(folder);
  return lines;
}

TEST(Launches, ThatAreWrongDoNotCompile) {
  const std::string path = std::string(HORNBEAM_SOURCES) + "/tests/backends/launches/wrong.cpp";
  const std::set<int> wrong = marked_lines(path);
  EXPECT_GT(wrong.size(), 20U);
  EXPECT_EQ(lines_in_error(path), wrong);
}

}  // namespace
}  // namespace hornbeam
