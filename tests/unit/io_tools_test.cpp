// SPDX-License-Identifier: Apache-2.0
// Boxes around open systems, for yt and pynbody, and families by the names that they know.
// tests/cli/test_yt_pynbody.py asks yt and pynbody themselves.
#include "io/tools.h"

#include <map>

#include "io/hdf5/hdf5.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

Snapshot open_system(double farthest) {
  Snapshot snapshot = sample(2);
  snapshot.box_size = 0;
  snapshot.particles.position[3] = {0.5, -farthest, 0.25};
  return snapshot;
}

TEST(ToolsBox, HasRoomForAllOnEitherSideOfTheOriginTwice) {
  for (const double farthest : {1.0, 1.5, 63.9, 64.0, 1e20, 1e300}) {
    const double cube = io::cube_for_tools(open_system(farthest));
    EXPECT_GE(cube, 4 * farthest);
    EXPECT_LE(cube, 8 * farthest);
  }
  EXPECT_EQ(io::cube_for_tools({}), 1.0);
  EXPECT_TRUE(std::isfinite(2 * io::cube_for_tools(open_system(1.7e308))));
  EXPECT_EQ(io::cube_for_tools(sample(1)), 8.0);  // a periodic box is itself
}

TEST(ToolsBox, StandsWhereToolsLookAndIsNotReadBack) {
  const TemporaryFolder folder;
  for (const char* name : {"a.hdf5", "a.gadget", "a.gadget1", "a.gadget1-swapped"}) {
    write_snapshot(folder / name, open_system(3.0));
    EXPECT_EQ(read_snapshot(folder / name).box_size, 0.0) << name;
    write_snapshot(folder / name, sample(1));
    EXPECT_EQ(read_snapshot(folder / name).box_size, 8.0) << name;
  }
  write_snapshot(folder / "a.hdf5", open_system(3.0));
  const io::Hdf5Quiet quiet;
  const io::Hdf5File file = io::Hdf5File::open(folder / "a.hdf5");
  EXPECT_EQ(file.root().open("Header").number("BoxSize"), 0.0);
  EXPECT_EQ(file.root().open("Parameters").number("BoxSize"), 16.0);
}

TEST(ToolsFamilies, DiscAndBulgeMayBeWrittenAsStars) {
  const TemporaryFolder folder;
  const Snapshot start = sample(2);
  const std::vector<std::string> sentences = write_snapshot(folder / "a.hdf5", start, format_named("hdf5-stars"));
  EXPECT_TRUE(contains(sentences, "as stars"));
  const Particles found = read_snapshot(folder / "a.hdf5").particles;
  std::map<Family, int> count;
  for (const Family family : found.family) ++count[family];
  EXPECT_EQ(count,
            (std::map<Family, int>{{Family::gas, 2}, {Family::halo, 2}, {Family::star, 6}, {Family::black_hole, 2}}));
  EXPECT_EQ(found.position, start.particles.position);  // in the order of their families before
  EXPECT_EQ(found.eps, start.particles.eps);
}

TEST(ToolsLines, OpenAGSystemInPynbody) {
  EXPECT_EQ(io::pynbody_load_line("a.hdf5", {}),
            "s = pynbody.load(\"a.hdf5\"); s.set_units_system(distance=\"kpc\", velocity=\"km s**-1\", "
            "mass=\"232508.5411 Msol\")");
  EXPECT_EQ(io::pynbody_load_line("a.hdf5", Units::galactic()), "pynbody.load(\"a.hdf5\")");
}

}  // namespace
}  // namespace hornbeam
