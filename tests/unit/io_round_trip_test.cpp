// SPDX-License-Identifier: Apache-2.0
// Every format variant through every other: what both can hold comes back, to the precision of the coarser one.
#include "io_support.h"

#include "hornbeam/units.h"
#include "io/gadget/hdf5.h"

namespace hornbeam {
namespace {

using namespace test;

/// What a format keeps, stated apart from its code.
struct Holds {
  std::string name;
  bool doubles, ids, all_families, stars, eps, gas, density, potential, acceleration, time, box;
  bool heat = false;  ///< internal energies without smoothing lengths
};

const std::vector<Holds> formats{
    // name, doubles, ids, all families, stars, eps, gas, density, potential, acceleration, time, box
    {"hdf5", true, true, true, true, true, true, true, true, true, true, true},
    {"tipsy", false, true, false, true, true, false, true, false, false, true, false},
    {"tipsy-native", false, false, false, true, true, false, true, true, false, true, false},
    {"tipsy-native-unpadded", false, false, false, true, true, false, true, true, false, true, false},
    {"tipsy-standard", false, false, false, true, true, false, true, true, false, true, false},
    {"tipsy-standard-unpadded", false, false, false, true, true, false, true, true, false, true, false},
    {"gadget1", false, true, true, true, false, true, true, false, false, true, true},
    {"gadget1-double", true, true, true, true, false, true, true, false, false, true, true},
    {"gadget1-swapped", false, true, true, true, false, true, true, false, false, true, true},
    {"gadget2", false, true, true, true, false, true, true, true, true, true, true},
    {"gadget2-double", true, true, true, true, false, true, true, true, true, true, true},
    {"gadget2-swapped", false, true, true, true, false, true, true, true, true, true, true},
    {"csv", true, true, true, true, true, true, true, true, true, false, false},
    {"galactics", true, false, false, false, false, false, false, false, false, false, false},
    {"agama", true, false, false, false, false, false, false, false, false, false, false},
    {"npz", true, true, true, true, true, true, true, true, true, true, true},
    {"npy", true, false, false, false, false, false, false, false, false, false, false},
};

void PrintTo(const Holds& holds, std::ostream* out) { *out << holds.name; }

/// Tipsy has temperatures.
bool holds_heat(const Holds& h) {
  return h.heat || h.gas || (h.name.starts_with("tipsy") && h.name.find('>') == std::string::npos);
}

/// What is left after `a`, then `b`.
Holds both(const Holds& a, const Holds& b) {
  Holds holds{a.name + " > " + b.name,
              a.doubles && b.doubles,
              a.ids && b.ids,
              a.all_families && b.all_families,
              a.stars && b.stars,
              a.eps && b.eps,
              a.gas && b.gas,
              a.density && b.density,
              a.potential && b.potential,
              a.acceleration && b.acceleration,
              a.time && b.time,
              a.box && b.box,
              holds_heat(a) && holds_heat(b)};
  // Format 1 has no names for its blocks, so that densities need the internal energies before them.
  if (b.name.starts_with("gadget1")) holds.density = holds.density && holds.heat;
  return holds;
}

Family expected_family(Family family, const Holds& holds) {
  if (holds.all_families) return family;
  if (!holds.stars) return Family::halo;
  return family == Family::gas || family == Family::halo ? family : Family::star;
}

template <class Array>
void expect_kept(bool kept, const Array& found, const Array& expected, double tolerance, const char* name) {
  if (kept) {
    expect_close(found, expected, tolerance, name);
  } else {
    EXPECT_TRUE(found.empty()) << name;
  }
}

void expect_round_trip(const Snapshot& found, const Snapshot& expected, const Holds& holds) {
  SCOPED_TRACE(holds.name);
  // Rounding to single precision: 2^-24 of the value; rounding twice to the same precision changes nothing more.
  const double tolerance = holds.doubles ? 0.0 : 0x1p-24;
  const Particles& f = found.particles;
  const Particles& e = expected.particles;
  ASSERT_EQ(f.size(), e.size());
  expect_close(f.position, e.position, tolerance, "position");
  expect_close(f.velocity, e.velocity, tolerance, "velocity");
  expect_close(f.mass, e.mass, tolerance, "mass");
  for (std::size_t i = 0; i < e.size(); ++i) {
    ASSERT_EQ(f.id[i], holds.ids ? e.id[i] : i);
    ASSERT_EQ(f.family[i], expected_family(e.family[i], holds));
  }
  expect_kept(holds.eps, f.eps, e.eps, tolerance, "eps");
  // by way of a temperature: three roundings more
  expect_kept(holds_heat(holds), f.internal_energy, e.internal_energy, holds.gas ? tolerance : 0x1p-21,
              "internal_energy");
  expect_kept(holds.density, f.density, e.density, tolerance, "density");
  expect_kept(holds.gas, f.smoothing_length, e.smoothing_length, tolerance, "smoothing_length");
  expect_kept(holds.potential, f.potential, e.potential, tolerance, "potential");
  expect_kept(holds.acceleration, f.acceleration, e.acceleration, tolerance, "acceleration");
  EXPECT_EQ(found.time, holds.time ? expected.time : 0.0);
  EXPECT_EQ(found.box_size, holds.box ? expected.box_size : 0.0);
}

class RoundTrip : public testing::TestWithParam<Holds> {};

TEST_P(RoundTrip, ThroughEveryOtherFormat) {
  const TemporaryFolder folder;
  const Snapshot start = sample(5);
  const FormatSpec first = format_named(GetParam().name);
  write_snapshot(folder / "first", start, first);
  const Snapshot middle = read_snapshot(folder / "first", first);
  expect_round_trip(middle, start, GetParam());
  for (const Holds& other : formats) {
    // Where the first format drops ids, the second keeps the new ones: particles numbered in order.
    const Holds holds = both(GetParam(), other);
    const FormatSpec second = format_named(other.name);
    write_snapshot(folder / "second", middle, second);
    const Snapshot end = read_snapshot(folder / "second", second);
    expect_round_trip(end, start, holds);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, testing::ValuesIn(formats), [](const auto& instance) {
  std::string name = instance.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(RoundTripOrder, IdsFollowTheirParticlesWhenFamiliesAreMixed) {
  const TemporaryFolder folder;
  Snapshot start = sample(4);
  Particles& p = start.particles;
  for (std::size_t i = 0; i < p.size(); ++i) p.family[i] = static_cast<Family>((5 * i + 1) % family_count);
  for (const char* name : {"hdf5", "tipsy", "gadget1", "gadget2", "csv", "npz"}) {
    write_snapshot(folder / "mixed", start, format_named(name));
    const Particles found = read_snapshot(folder / "mixed", format_named(name)).particles;
    ASSERT_EQ(found.size(), p.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto was = static_cast<std::size_t>(std::find(p.id.begin(), p.id.end(), found.id[i]) - p.id.begin());
      ASSERT_LT(was, p.size()) << name;
      EXPECT_EQ(static_cast<float>(found.position[i][0]), static_cast<float>(p.position[was][0])) << name;
      if (std::string(name) != "tipsy") {
        EXPECT_EQ(found.family[i], p.family[was]) << name;
      }
    }
  }
}

TEST(RoundTripOrder, SmallNumbersOfParticles) {
  const TemporaryFolder folder;
  for (const Holds& format : formats) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
      if (n == 0 && !format.stars) continue;  // a text without a header and without particles has 0 bytes
      Snapshot start;
      start.particles.resize(n);
      for (std::size_t i = 0; i < n; ++i) start.particles.position[i] = {1.0 + static_cast<double>(i), 2, 3};
      start.particles.mass.assign(n, 1.0);
      write_snapshot(folder / "few", start, format_named(format.name));
      const Particles found = read_snapshot(folder / "few", format_named(format.name)).particles;
      EXPECT_EQ(found.position, start.particles.position) << format.name;
      EXPECT_EQ(found.id, start.particles.id) << format.name;
    }
  }
}

TEST(RoundTripUnits, PhysicalUnitsSurviveWhereTheFormatHoldsThem) {
  const TemporaryFolder folder;
  const Snapshot start = sample(3, true);
  for (const char* name : {"hdf5", "tipsy", "npz"}) {
    const fs::path path = folder / (std::string("physical.") + name);
    write_snapshot(path, start);
    const Snapshot found = read_snapshot(path);
    ASSERT_TRUE(found.units.physical) << name;
    // In cgs, to single precision and the conversion of velocities to G = 1 and back.
    const double tolerance = 3 * 0x1p-24;
    const double speed = found.particles.velocity[4][1] * found.units.velocity_cm_per_s;
    const double expected_speed = start.particles.velocity[4][1] * start.units.velocity_cm_per_s;
    EXPECT_NEAR(speed / expected_speed, 1.0, tolerance) << name;
    EXPECT_NEAR(found.time * found.units.length_cm / found.units.velocity_cm_per_s /
                    (start.time * start.units.length_cm / start.units.velocity_cm_per_s),
                1.0, 1e-14)
        << name;
    // G in cgs is the same number whatever the units: 6.6743e-8.
    const Units& u = found.units;
    EXPECT_NEAR(u.G * u.length_cm * u.velocity_cm_per_s * u.velocity_cm_per_s / u.mass_g, 6.6743e-8, 1e-20) << name;
  }
}

TEST(RoundTripUnits, OtherPhysicalUnitsStay) {
  const TemporaryFolder folder;
  for (const char* system : {"solar", "si", "cgs", "saturn", "pc, Msun, km/s", "km, kg, km/s"}) {
    Snapshot start = sample(2);
    start.units = units_from(system, "test");
    for (const char* file : {"a.hdf5", "a.csv"}) {
      const std::vector<std::string> sentences = write_snapshot(folder / file, start);
      EXPECT_FALSE(contains(sentences, "units")) << system;
      const Snapshot found = read_snapshot(folder / file);
      EXPECT_TRUE(found.has_units);
      EXPECT_TRUE(found.units.physical) << system;
      EXPECT_DOUBLE_EQ(found.units.length_cm, start.units.length_cm);
      EXPECT_DOUBLE_EQ(found.units.G, start.units.G);
      EXPECT_EQ(found.particles.position, start.particles.position) << system << " " << file;
      EXPECT_EQ(found.particles.velocity, start.particles.velocity) << system << " " << file;
      EXPECT_EQ(found.particles.potential, start.particles.potential) << system << " " << file;
    }
    EXPECT_TRUE(contains(write_snapshot(folder / "a.gadget", start), "the numbers are in " + described(start.units)));
    EXPECT_EQ(io::yt_load_line("a.hdf5", Units::galactic()), "yt.load(\"a.hdf5\")");
  }
}

}  // namespace
}  // namespace hornbeam
