// SPDX-License-Identifier: Apache-2.0
// Gadget's HDF5 layout: what yt and pynbody look for is there, variants are read, and files with anything missing,
// mis-typed or mis-shaped are refused.
#include "io/gadget/hdf5.h"

#include <limits>
#include <tuple>

#include "io/hdf5/hdf5.h"
#include "io_hdf5_editor.h"

namespace hornbeam {
namespace {

using namespace test;

TEST_F(GadgetHdf5, HoldsWhatTheToolsLookFor) {
  write_snapshot(path_, sample(2, true));
  const io::Hdf5File file = io::Hdf5File::open(path_);
  const io::Hdf5Group root = file.root();
  const io::Hdf5Group header = root.open("Header");
  EXPECT_EQ(header.counts("NumPart_ThisFile", 6), std::vector<std::uint64_t>(6, 2));
  EXPECT_EQ(header.counts("NumPart_Total", 6), std::vector<std::uint64_t>(6, 2));
  EXPECT_EQ(header.counts("NumPart_Total_HighWord", 6), std::vector<std::uint64_t>(6, 0));
  EXPECT_EQ(header.counts("NumFilesPerSnapshot", 1).front(), 1u);
  EXPECT_EQ(header.numbers("MassTable", 6), std::vector<double>(6, 0.0));
  EXPECT_EQ(header.number("BoxSize"), 8.0);
  EXPECT_EQ(header.number("Time"), 1.25);
  EXPECT_EQ(header.number("Redshift"), 0.0);
  for (const char* cosmology : {"HubbleParam", "Omega0", "OmegaLambda", "Code"}) {
    EXPECT_FALSE(header.has_attribute(cosmology)) << cosmology;
  }
  const Units galactic = Units::galactic();
  for (const char* group : {"Units", "Parameters"}) {
    EXPECT_EQ(root.open(group).number("UnitLength_in_cm"), galactic.length_cm);
    EXPECT_EQ(root.open(group).number("UnitMass_in_g"), galactic.mass_g);
    EXPECT_EQ(root.open(group).number("UnitVelocity_in_cm_per_s"), galactic.velocity_cm_per_s);
  }
  EXPECT_EQ(root.open("Units").number("UnitTime_in_s"), galactic.length_cm / galactic.velocity_cm_per_s);
  EXPECT_EQ(root.open("Parameters").number("BoxSize"), 8.0);
  // 1.25 kpc / (km/s), of which one is 0.97779 Gyr
  EXPECT_NEAR(root.open("Parameters").number("Time_GYR"), 1.25 * 0.97779, 1e-4);
  for (const char* misleading : {"FOF", "Group", "Subhalo", "Policy", "Config", "Constants"}) {
    EXPECT_FALSE(root.has(misleading)) << misleading;
  }
  for (const char* dataset : {"Coordinates", "Velocities", "ParticleIDs", "Masses", "Softening", "Potential",
                              "Acceleration", "InternalEnergy", "Density", "SmoothingLength"}) {
    EXPECT_TRUE(root.open("PartType0").has(dataset)) << dataset;
  }
  EXPECT_FALSE(root.open("PartType4").has("Density"));
}

TEST_F(GadgetHdf5, DatasetsNameTheirUnits) {
  write_snapshot(path_, sample(1, true));
  const Editor file(path_);
  const auto attribute = [&](const char* dataset, const char* name) {
    double value = 0;
    const io::Hdf5Handle handle(H5Aopen_by_name(file.id(), dataset, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    EXPECT_GE(H5Aread(handle.id(), H5T_NATIVE_DOUBLE, &value), 0);
    return value;
  };
  EXPECT_EQ(attribute("PartType0/Density", "length_scaling"), -3.0);
  EXPECT_EQ(attribute("PartType0/Density", "mass_scaling"), 1.0);
  EXPECT_EQ(attribute("PartType0/Density", "velocity_scaling"), 0.0);
  EXPECT_EQ(attribute("PartType0/Density", "a_scaling"), 0.0);
  // 1e10 Msun / kpc^3 in g / cm^3
  EXPECT_NEAR(attribute("PartType0/Density", "to_cgs") / 6.7680e-22, 1.0, 1e-4);
  EXPECT_EQ(attribute("PartType1/Potential", "to_cgs"), 1e10);
}

TEST_F(GadgetHdf5, PositionsAndVelocitiesKeepTheirBits) {
  const Snapshot found = read_snapshot(path_);
  EXPECT_EQ(found.particles.position, sample(2).particles.position);
  EXPECT_EQ(found.particles.velocity, sample(2).particles.velocity);
  EXPECT_TRUE(contains(found.notes, "dataset Softening"));
}

TEST_F(GadgetHdf5, NarrowTypesMassTableAndMissingIdsAreRead) {
  const std::vector<float> vectors{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> ids{4000000000u, 7};
  EXPECT_EQ(refusal([&](Editor& edit) {
              edit.dataset("PartType1/Coordinates", H5T_NATIVE_FLOAT, {2, 3}, vectors.data());
              edit.dataset("PartType1/ParticleIDs", H5T_NATIVE_UINT32, {2}, ids.data());
              edit.attribute("Header", "MassTable", H5T_NATIVE_DOUBLE, std::vector<double>{0, 0.125, 0, 0, 0, 0});
              edit.remove("PartType1/Masses");
            }),
            "");
  const Particles p = read_snapshot(path_).particles;
  EXPECT_EQ(p.position[3], (Vec3{4, 5, 6}));
  EXPECT_EQ(p.id[2], 4000000000u);
  EXPECT_EQ(p.mass[2], 0.125);
  EXPECT_EQ(p.mass[4], sample(2).particles.mass[4]);
  EXPECT_EQ(refusal([](Editor& edit) { edit.remove("PartType3/ParticleIDs"); }), "");
  const Snapshot numbered = read_snapshot(path_);
  EXPECT_EQ(numbered.particles.id[11], 11u);
  EXPECT_TRUE(contains(numbered.notes, "no ParticleIDs"));
}

TEST_F(GadgetHdf5, OptionalDatasetsThatSomeTypesLack) {
  EXPECT_EQ(refusal([](Editor& edit) {
              edit.remove("PartType2/Softening");
              edit.remove("PartType2/Potential");
            }),
            "");
  const Snapshot found = read_snapshot(path_);
  EXPECT_EQ(found.particles.eps[4], 0.0);
  EXPECT_EQ(found.particles.eps[6], sample(2).particles.eps[6]);
  EXPECT_TRUE(found.particles.potential.empty());
  EXPECT_TRUE(contains(found.notes, "Potential is not read"));
}

TEST_F(GadgetHdf5, DatasetsThatAreNotReadAreNamed) {
  const auto unread = [&] {
    std::vector<std::string> found;
    for (const std::string& note : read_snapshot(path_).notes) {
      if (note.ends_with("not read")) found.push_back(note);
    }
    return found;
  };
  EXPECT_EQ(unread(), std::vector<std::string>());
  const std::vector<double> two{1, 2};
  EXPECT_EQ(refusal([&](Editor& edit) {
              edit.remove("PartType1/Softening");
              edit.dataset("PartType1/Softenings", H5T_NATIVE_DOUBLE, {2}, two.data());
              edit.dataset("PartType1/softening", H5T_NATIVE_DOUBLE, {2}, two.data());
              edit.dataset("PartType4/Density", H5T_NATIVE_DOUBLE, {2}, two.data());  // no gas
              edit.dataset("PartType0/Densities", H5T_NATIVE_DOUBLE, {2}, two.data());
              edit.dataset("PartType0/a\nb", H5T_NATIVE_INT, {0});
              edit.attribute("Header", "MassTable", H5T_NATIVE_DOUBLE, std::vector<double>{0, 0, 0, 0, 0, 3});
            }),
            "");
  EXPECT_EQ(unread(),
            (std::vector<std::string>{"PartType0: 'Densities', 'a?b' are not read",
                                      "PartType1: 'softening' is not read", "PartType4: 'Density' is not read"}));
}

TEST_F(GadgetHdf5, OfManyDatasetsThatAreNotReadSomeAreNamed) {
  EXPECT_EQ(refusal([&](Editor& edit) {
              for (int k = 100; k < 200; ++k) {
                edit.dataset(("PartType2/X" + std::to_string(k)).c_str(), H5T_NATIVE_DOUBLE, {2});
              }
            }),
            "");
  const std::vector<std::string> notes = read_snapshot(path_).notes;
  EXPECT_TRUE(contains(notes, "PartType2: 'X100', 'X101', "));
  EXPECT_TRUE(contains(notes, "'X139' and 60 others are not read"));
}

TEST_F(GadgetHdf5, FilesWithoutUnitsHaveG1) {
  EXPECT_EQ(refusal([](Editor& edit) {
              edit.remove("Units");
              edit.remove("Parameters");
            }),
            "");
  const Snapshot found = read_snapshot(path_);
  EXPECT_FALSE(found.units.physical);
  EXPECT_EQ(found.units.G, 1.0);
  EXPECT_TRUE(contains(found.notes, "no units"));
}

TEST_F(GadgetHdf5, IdsThatRepeatAreReplacedWithANote) {
  const std::vector<std::uint64_t> ids{5, 5};
  EXPECT_EQ(refusal([&](Editor& edit) { edit.dataset("PartType1/ParticleIDs", H5T_NATIVE_UINT64, {2}, ids.data()); }),
            "");
  EXPECT_TRUE(contains(read_snapshot(path_).notes, "ids repeat"));
  EXPECT_EQ(read_snapshot(path_).particles.id[3], 3u);
}

TEST_F(GadgetHdf5, MissingObjectsAreRefusedOneByOne) {
  EXPECT_EQ(
      refusal([](Editor& e) { e.remove("Header"); }),
      "is HDF5, but not a Gadget snapshot: group /Header is missing (write its arrays with numpy.savez as position, "
      "velocity and mass)");
  EXPECT_EQ(refusal([](Editor& e) { e.remove("PartType4"); }), "/PartType4 is missing");
  for (const std::string name : {"Coordinates", "Velocities", "Masses"}) {
    const std::string path = "PartType4/" + name;
    EXPECT_EQ(refusal([&](Editor& e) { e.remove(path.c_str()); }), "/" + path + " is missing");
  }
  EXPECT_EQ(refusal([](Editor& e) { e.remove_attribute("Header", "NumPart_ThisFile"); }),
            "/Header/attribute NumPart_ThisFile is missing");
  for (const std::string name : {"NumFilesPerSnapshot", "MassTable", "BoxSize", "Time"}) {
    EXPECT_EQ(refusal([&](Editor& e) { e.remove_attribute("Header", name.c_str()); }), "") << name;
  }
  EXPECT_EQ(refusal([](Editor& e) { e.remove_attribute("Units", "UnitMass_in_g"); }),
            "/Units/attribute UnitMass_in_g is missing");
}

TEST_F(GadgetHdf5, WrongTypesAreRefusedOneByOne) {
  const std::vector<std::int64_t> whole(6, 1);
  EXPECT_EQ(refusal([&](Editor& e) {
              e.dataset("PartType1/Coordinates", H5T_NATIVE_INT64, {2, 3}, whole.data());
            }),
            "/PartType1/Coordinates is of the wrong type: must be floating-point numbers");
  const std::vector<double> numbers(2, 1.5);
  EXPECT_EQ(refusal([&](Editor& e) { e.dataset("PartType1/ParticleIDs", H5T_NATIVE_DOUBLE, {2}, numbers.data()); }),
            "/PartType1/ParticleIDs has values that are not whole numbers, 0 or more");
  const std::vector<std::int64_t> negative{1, -1};
  EXPECT_EQ(refusal([&](Editor& e) { e.dataset("PartType1/ParticleIDs", H5T_NATIVE_INT64, {2}, negative.data()); }),
            "/PartType1/ParticleIDs has negative values: must be 0 or more");
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_DOUBLE, numbers); }),
            "/Header/attribute NumPart_ThisFile is of the wrong type: must be whole numbers, 0 or more");
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_INT64, negative); }),
            "/Header/attribute NumPart_ThisFile is negative: must be 0 or more");
  EXPECT_EQ(refusal([](Editor& e) { e.attribute("Header", "Time", H5T_C_S1, std::vector<char>{'1'}); }),
            "/Header/attribute Time is of the wrong type: must be a number");
  EXPECT_EQ(refusal([](Editor& e) {
              e.remove("PartType1");
              const float zero = 0;
              e.dataset("PartType1", H5T_NATIVE_FLOAT, {1}, &zero);
            }),
            "/PartType1 is not a group");
}

TEST_F(GadgetHdf5, WrongShapesAreRefusedOneByOne) {
  const std::vector<double> numbers(60, 1);
  const auto shape = [&](const char* name, const std::vector<hsize_t>& dims) {
    return refusal([&](Editor& e) { e.dataset(name, H5T_NATIVE_DOUBLE, dims, numbers.data()); });
  };
  EXPECT_EQ(shape("PartType1/Coordinates", {3, 3}), "/PartType1/Coordinates has shape (3, 3): must be (2, 3)");
  EXPECT_EQ(shape("PartType1/Coordinates", {2, 2}), "/PartType1/Coordinates has shape (2, 2): must be (2, 3)");
  EXPECT_EQ(shape("PartType1/Velocities", {6}), "/PartType1/Velocities has shape (6): must be (2, 3)");
  EXPECT_EQ(shape("PartType1/Masses", {2, 3, 2}), "/PartType1/Masses has shape (2, 3, 2): must be (2)");
  EXPECT_EQ(shape("PartType0/Density", {1}), "/PartType0/Density has shape (1): must be (2)");
  EXPECT_EQ(shape("PartType1/Masses", {2, 1}), "");  // a column is as good as a row of numbers
  EXPECT_EQ(refusal([&](Editor& e) {
              e.attribute("Header", "BoxSize", H5T_NATIVE_DOUBLE, std::vector<double>{1, 2});
            }),
            "/Header attribute BoxSize has 2 edges: must have one or three");
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "Time", H5T_NATIVE_DOUBLE, numbers); }),
            "/Header/attribute Time has 60 values: must have 1");
}

TEST_F(GadgetHdf5, GroupsThatTheHeaderCountsAsEmptyAreRefused) {
  EXPECT_EQ(refusal([&](Editor& e) {
              e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, std::vector<std::uint64_t>(6, 0));
            }),
            "/Header counts 0 particles of type 0, but /PartType0 has 2");
  EXPECT_EQ(refusal([&](Editor& e) {
              e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, std::vector<std::uint64_t>(4, 2));
            }),
            "/Header counts 0 particles of type 4, but /PartType4 has 2");
}

TEST_F(GadgetHdf5, EveryFieldMustBeFinite) {
  const std::vector<double> numbers{1, std::numeric_limits<double>::infinity(), 1, 1, 1, 1};
  for (const auto& [name, spoken, rows] :
       std::vector<std::tuple<std::string, std::string, hsize_t>>{{"Velocities", "velocity y", 3},
                                                                  {"Masses", "mass", 1},
                                                                  {"Softening", "eps", 1},
                                                                  {"Potential", "potential", 1},
                                                                  {"Acceleration", "acceleration y", 3},
                                                                  {"Density", "density", 1},
                                                                  {"InternalEnergy", "internal energy", 1},
                                                                  {"SmoothingLength", "smoothing length", 1}}) {
    const std::string dataset = "PartType0/" + name;
    const std::vector<hsize_t> shape = rows == 3 ? std::vector<hsize_t>{2, 3} : std::vector<hsize_t>{2};
    EXPECT_NE(refusal([&](Editor& e) {
                e.dataset(dataset.c_str(), H5T_NATIVE_DOUBLE, shape, numbers.data());
              }).find("): " + spoken + " = inf: must be finite"),
              std::string::npos)
        << name;
  }
}

TEST_F(GadgetHdf5, NothingTellsWhenAFileWasWritten) {
  const Editor file(path_);
  for (const char* object : {"/", "Header", "PartType1", "PartType1/Coordinates", "PartType1/ParticleIDs"}) {
    H5O_info_t info;
    ASSERT_GE(H5Oget_info_by_name(file.id(), object, &info, H5P_DEFAULT), 0);
    EXPECT_EQ(info.mtime, 0) << object;
    EXPECT_EQ(info.ctime, 0) << object;
  }
}

TEST_F(GadgetHdf5, ValuesThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "Time", H5T_NATIVE_DOUBLE, std::vector<double>{nan}); }),
            "has a non-finite time");
  EXPECT_EQ(refusal([](Editor& e) { e.attribute("Header", "BoxSize", H5T_NATIVE_DOUBLE, std::vector<double>{-1}); }),
            "the box size is -1.000000: must be finite and 0 or more");
  const std::vector<std::int32_t> eight{8};
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "NumFilesPerSnapshot", H5T_NATIVE_INT32, eight); }), "");
  EXPECT_TRUE(contains(read_snapshot(path_).notes, "all particles of the snapshot are here"));
  EXPECT_EQ(refusal([&](Editor& e) {
              e.attribute("Header", "NumFilesPerSnapshot", H5T_NATIVE_INT32, eight);
              e.attribute("Header", "NumPart_Total", H5T_NATIVE_UINT64, std::vector<std::uint64_t>(6, 9));
            }).find("is one of 8 files of a snapshot, and its name does not show the names of the others"),
            0u);
  EXPECT_EQ(
      refusal([](Editor& e) { e.attribute("Units", "UnitLength_in_cm", H5T_NATIVE_DOUBLE, std::vector<double>{0}); }),
      "/Units attribute UnitLength_in_cm = 0.000000: must be positive");
  std::vector<double> positions(6, 1.0);
  positions[4] = nan;
  EXPECT_EQ(refusal([&](Editor& e) {
              e.dataset("PartType1/Coordinates", H5T_NATIVE_DOUBLE, {2, 3}, positions.data());
            }),
            "particle 3 (id " + std::to_string(sample(2).particles.id[3]) + "): position y = nan: must be finite");
}

TEST(GadgetHdf5Hint, TellsHowYtOpensASystemWithG1) {
  EXPECT_EQ(io::yt_load_line("a.hdf5", Units{}),
            "yt.load(\"a.hdf5\", unit_base={\"length\": (1, \"kpc\"), \"velocity\": (1, \"km/s\"), "
            "\"mass\": (232508.5411, \"Msun\")})");
}

}  // namespace
}  // namespace hornbeam
