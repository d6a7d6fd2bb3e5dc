// SPDX-License-Identifier: Apache-2.0
// In which box particles move: through files that hold it, lost with a word where they do not, refused where it cannot
// be.
#include "hornbeam/units.h"
#include "io/hdf5/hdf5.h"
#include "io_hdf5_editor.h"
#include "io_support.h"
#include "tree/boundary.h"

namespace hornbeam::of_boundaries {
namespace {

using namespace test;

Boundary cube() {
  Boundary b;
  b.kind = BoundaryKind::periodic;
  b.size = {8, 8, 8};
  b.n_ghost = {1, 2, 1};
  return b;
}

Boundary sheet() {
  Boundary b;
  b.kind = BoundaryKind::shear;
  b.size = {4, 6, 0};
  b.n_ghost = {2, 3, 0};
  b.omega = 0.7;
  b.omega_z = 2.5;
  return b;
}

Snapshot in(const Boundary& boundary, bool physical = false) {
  Snapshot snapshot = sample(3, physical);
  snapshot.set_boundary(boundary);
  return snapshot;
}

TEST(Boundaries, ComeBackFromFilesThatHoldThem) {
  const TemporaryFolder folder;
  for (const Boundary& boundary : {cube(), sheet()}) {
    for (const char* name : {"a.hdf5", "a.npz"}) {
      EXPECT_FALSE(contains(write_snapshot(folder / name, in(boundary)), "box")) << name;
      const Snapshot found = read_snapshot(folder / name);
      EXPECT_EQ(found.boundary, boundary) << name;
      EXPECT_EQ(found.box_size, boundary.cube()) << name;
    }
  }
  for (const char* name : {"a.hdf5", "a.npz"}) {
    write_snapshot(folder / name, sample(1));  // the BoxSize of another code says nothing of what moves how
    EXPECT_EQ(read_snapshot(folder / name).boundary, Boundary{}) << name;
    EXPECT_EQ(read_snapshot(folder / name).box_size, 8.0) << name;
  }
}

TEST(Boundaries, AreLostWithAWordElsewhere) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tipsy", "a.csv", "a.npy", "a.gadget"}) {
    EXPECT_TRUE(contains(write_snapshot(folder / name, in(sheet())), "the box is not stored")) << name;
  }
  EXPECT_TRUE(contains(write_snapshot(folder / "a.gadget", in(cube())), "only the edge of the box is stored"));
  EXPECT_EQ(read_snapshot(folder / "a.gadget").box_size, 8.0);
}

TEST(Boundaries, StandInHdf5WhereOthersFindThem) {
  const TemporaryFolder folder;
  write_snapshot(folder / "a.hdf5", in(sheet()));
  const io::Hdf5Quiet quiet;
  const io::Hdf5File file = io::Hdf5File::open(folder / "a.hdf5");
  const io::Hdf5Group group = file.root().open("Hornbeam").open("Boundary");
  EXPECT_EQ(group.text("Kind", 32), "shear");
  EXPECT_EQ(group.numbers("Size", 3), (std::vector<double>{4, 6, 0}));
  EXPECT_EQ(group.number("Drift"), periodic_box(sheet(), 1.25).drift);
  EXPECT_EQ(file.root().open("Header").number("BoxSize"), 0.0) << "no cube: yt and others would wrap it";
  EXPECT_EQ(file.root().open("Parameters").number("BoxSize"), 4.0) << "room for tools, as of open systems";
}

TEST(Boundaries, CubesStandInTheHeader) {
  const TemporaryFolder folder;
  write_snapshot(folder / "a.hdf5", in(cube()));
  const io::Hdf5Quiet quiet;
  const io::Hdf5File file = io::Hdf5File::open(folder / "a.hdf5");
  EXPECT_EQ(file.root().open("Header").number("BoxSize"), 8.0);
  EXPECT_EQ(file.root().open("Parameters").number("BoxSize"), 8.0);
}

TEST(Boundaries, FollowTheUnits) {
  Snapshot snapshot = in(sheet(), true);
  const double orbits = snapshot.time * snapshot.boundary.omega;
  convert(snapshot, units_from("si", "test"));
  EXPECT_NEAR(snapshot.boundary.size[1] / (6 * 3.0856775814913673e19), 1, 1e-12);
  EXPECT_NEAR(snapshot.boundary.omega_z / snapshot.boundary.omega, 2.5 / 0.7, 1e-12);
  EXPECT_NEAR(snapshot.time * snapshot.boundary.omega / orbits, 1, 1e-12);
}

TEST(Boundaries, ThatCannotBeAreRefused) {
  const TemporaryFolder folder;
  const auto refusal = [&](auto change) {
    write_snapshot(folder / "a.hdf5", in(sheet()));
    {
      Editor editor(folder / "a.hdf5");
      change(editor);
    }
    try {
      read_snapshot(folder / "a.hdf5");
      return std::string("nothing was thrown");
    } catch (const UsageError&) {
      return std::string("wrong usage");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const char* group = "Hornbeam/Boundary";
  const auto with = [&](const char* name, hid_t type, const auto& values) {
    return refusal([&](Editor& e) { e.attribute(group, name, type, values); });
  };
  EXPECT_NE(with("Omega", H5T_NATIVE_DOUBLE, std::vector<double>{-1}).find("boundary.omega"), std::string::npos);
  EXPECT_NE(with("Size", H5T_NATIVE_DOUBLE, std::vector<double>{4, -6, 0}).find("boundary.size"), std::string::npos);
  EXPECT_NE(with("Size", H5T_NATIVE_DOUBLE, std::vector<double>{4}).find("must be three numbers"), std::string::npos);
  EXPECT_NE(with("Ghosts", H5T_NATIVE_UINT64, std::vector<std::uint64_t>{~0ULL, 0, 0}).find("n_ghost_x"),
            std::string::npos);
  EXPECT_NE(with("Kind", H5T_NATIVE_DOUBLE, std::vector<double>{1}).find("must be text"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam::of_boundaries
