// SPDX-License-Identifier: Apache-2.0
// Text tables: columns by name in any order, fixed orders, and lines that are refused.
#include "hornbeam/units.h"
#include "io/tables/csv.h"

#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

Snapshot parse(const std::string& text, Columns columns = Columns::header) {
  return io::parse_csv(std::as_bytes(std::span(text)), columns, "x.csv");
}
std::string refusal(const std::string& text, Columns columns = Columns::header) {
  return error_of([&] { parse(text, columns); });
}

TEST(Csv, ColumnsAreFoundByNameInAnyOrder) {
  const Snapshot found = parse("id,MASS,vz,vy,vx,z,y,x,family,eps\n7,1,2,3,4,5,6,8,star,0.5\n9,1,2,3,4,5,6,-1e3,2,0\n");
  const Particles& p = found.particles;
  ASSERT_EQ(p.size(), 2u);
  EXPECT_EQ(p.position[0], (Vec3{8, 6, 5}));
  EXPECT_EQ(p.velocity[0], (Vec3{4, 3, 2}));
  EXPECT_EQ(p.position[1][0], -1000.0);
  EXPECT_EQ(p.id, (std::vector<std::uint64_t>{7, 9}));
  EXPECT_EQ(p.family, (std::vector<Family>{Family::star, Family::disc}));
  EXPECT_EQ(p.eps, (std::vector<double>{0.5, 0.0}));
}

TEST(Csv, CommentsBlanksWindowsLinesAndOtherDelimitersAreAccepted) {
  const std::string row = "1 2\t3  4 5 6 7";
  EXPECT_EQ(parse("# x y z vx vy vz m\n" + row + "\n").particles.mass[0], 7.0);  // as NumPy's savetxt
  EXPECT_EQ(parse("# made by hand\n\nx y z vx vy vz m\r\n" + row + "\r\n# end\r\n").particles.mass[0], 7.0);
  EXPECT_EQ(parse("x;y;z;vx;vy;vz;m\n1;2;3;4;5;6;+7\n").particles.mass[0], 7.0);
  EXPECT_EQ(parse("\xEF\xBB\xBF\"x\", \"y\", z, vx, vy, vz, m\n 1 , 2,3,4,5,6, 7").particles.mass[0], 7.0);
  EXPECT_EQ(parse("x y z vx vy vz m id\n1 2 3 4 5 6 7 1.2e1\n").particles.id[0], 12u);
}

TEST(Csv, ColumnsThatAreNotKnownAreNamedInANote) {
  const Snapshot found = parse("x,y,z,vx,vy,vz,mass,colour\n1,2,3,4,5,6,7,red\n");
  EXPECT_TRUE(contains(found.notes, "column 'colour' is not read"));
  EXPECT_TRUE(contains(found.notes, "no ids"));
}

TEST(Csv, FixedOrdersAreChosenByName) {
  const Particles galactics = parse("10 1 2 3 4 5 6\n", Columns::galactics).particles;
  EXPECT_EQ(galactics.mass[0], 10.0);
  EXPECT_EQ(galactics.velocity[0], (Vec3{4, 5, 6}));
  const Particles agama = parse("# x y z vx vy vz m\n1 2 3 4 5 6 10\n", Columns::agama).particles;
  EXPECT_EQ(agama.mass[0], 10.0);
  const Snapshot counted = parse("2 0.25\n1 0 0 0 0 0 0\n2 0 0 0 0 0 0\n", Columns::galactics);
  EXPECT_EQ(counted.particles.size(), 2u);
  EXPECT_EQ(counted.time, 0.25);
  EXPECT_EQ(refusal("3 0.25\n1 0 0 0 0 0 0\n", Columns::galactics),
            "x.csv: is truncated or damaged: its first line states 3 particles, but 1 follow");
}

TEST(Csv, HeadersThatDoNotServeAreRefused) {
  EXPECT_EQ(refusal("1 2 3 4 5 6 7\n"),
            "x.csv: line 1: has numbers where the names of the columns are expected (add a header such as "
            "x,y,z,vx,vy,vz,mass or name the order of the columns: galactics, agama)");
  EXPECT_EQ(refusal("x,y,z,vx,vy\n"), "x.csv: line 1: has no column vz mass (needed: x y z vx vy vz mass)");
  EXPECT_EQ(refusal("x,y,z,vx,vy,vz,m,mass\n"), "x.csv: line 1: column mass stands twice");
  EXPECT_EQ(refusal("x,y,z,vx,vy,vz,m,ax,az\n"), "x.csv: line 1: has no column ay (needed: x y z vx vy vz mass)");
  EXPECT_EQ(refusal("x,y,z,vx,vy,vz,m,az\n"), "x.csv: line 1: has no column ax ay (needed: x y z vx vy vz mass)");
  EXPECT_EQ(refusal("ID,x,y,z,vx,vy,vz,m,id\n"), "x.csv: line 1: column id stands twice");
  EXPECT_EQ(refusal("# nothing\n\n"), "x.csv: line 2: has no header line with the names of the columns");
  EXPECT_EQ(refusal("x,y,z,vx,vy,vz,mass,id,fam"), "x.csv: line 1: the file ends within its header");
}

TEST(Csv, RowsThatDoNotFitTheHeaderAreRefusedWithTheirLine) {
  const std::string header = "x,y,z,vx,vy,vz,mass,id,family\n";
  EXPECT_EQ(refusal(header + "1,2,3,4,5,6,7,8,star\n1,2,3\n"), "x.csv: line 3: has 3 columns instead of 9");
  EXPECT_EQ(refusal(header + "1,2,3,4,5,6,7,8,star,9\n"), "x.csv: line 2: has 10 columns instead of 9");
  EXPECT_EQ(refusal(header + "1,2,abc,4,5,6,7,8,star\n"), "x.csv: line 2: column 'z': 'abc' is not valid");
  EXPECT_EQ(refusal(header + "1,2,3 4,4,5,6,7,8,star\n"), "x.csv: line 2: column 'z': '3 4' is not valid");
  EXPECT_EQ(refusal(header + "1,2,3,4,,6,7,8,star\n"), "x.csv: line 2: column 'vy': '' is not valid");
  EXPECT_EQ(refusal(header + "1,2,3,4,5,6,7,-8,star\n"), "x.csv: line 2: column 'id': '-8' is not valid");
  EXPECT_EQ(refusal(header + "1,2,3,4,5,6,7,8.5,star\n"), "x.csv: line 2: column 'id': '8.5' is not valid");
  EXPECT_EQ(refusal(header + "1,2,3,4,5,6,7,8,6\n"),
            "x.csv: line 2: column 'family': '6' is not valid (known: gas, halo, disc, bulge, star, black_hole)");
  EXPECT_EQ(refusal(header + "1e999,2,3,4,5,6,7,8,1\n"), "x.csv: line 2: column 'x': '1e999' is not valid");
}

TEST(Csv, BinaryContentIsRefused) {
  EXPECT_EQ(refusal(std::string("x,y,z\0vx", 8)), "x.csv: is not text: it has control characters");
}

TEST(Csv, TruncationsWithinALineAreRefused) {
  const TemporaryFolder folder;
  Snapshot start = sample(1);
  start.particles.acceleration.clear();
  write_snapshot(folder / "whole.csv", start);
  const std::vector<std::byte> bytes = read_file(folder / "whole.csv");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    const bool line_is_whole = size > 0 && (cut.back() == '\n' || text[size] == '\n');
    const bool within_header = cut.find('\n') == std::string::npos;
    EXPECT_EQ(refusal(cut).empty(), line_is_whole && !within_header) << size;
  }
}

TEST(Csv, NotFiniteNumbersNameTheParticle) {
  const TemporaryFolder folder;
  const fs::path path = folder / "nan.csv";
  write_file(path, "x,y,z,vx,vy,vz,mass,id\n1,2,3,4,5,6,7,8\n1,2,inf,4,5,6,7,9\n");
  EXPECT_EQ(error_of([&] { read_snapshot(path); }),
            path.string() + ": particle 1 (id 9): position z = inf: must be finite");
}

TEST(Csv, ALastLineWithoutItsNewlineIsSaid) {
  const std::string text = "x y z vx vy vz m\n1 2 3 4 5 6 7.25";
  const auto said = [](const std::string& rows) {
    return contains(io::parse_csv(std::as_bytes(std::span(rows)), Columns::header, "a.csv").notes, "no newline");
  };
  EXPECT_TRUE(said(text));
  EXPECT_FALSE(said(text + "\n"));
  EXPECT_FALSE(said(text + " "));
  EXPECT_FALSE(said(text + "\n# the end"));
}

TEST(Csv, HeadersNameUnits) {
  const auto read = [](const std::string& text) {
    return io::parse_csv(std::as_bytes(std::span(text)), Columns::header, "a.csv");
  };
  const Snapshot a =
      read("x [pc],y [kpc],z[pc],vx [km/s],vy [km/s],vz [pc/Myr],mass [Msun],eps [AU],id\n1,2,3,4,5,6,7,8,9\n");
  EXPECT_TRUE(a.has_units);
  EXPECT_EQ(described(a.units), "pc, Msun, km/s (G = 0.00430092)");
  EXPECT_NEAR(a.particles.position[0][1], 2000, 1e-9);
  EXPECT_EQ(a.particles.position[0][2], 3);
  EXPECT_NEAR(a.particles.velocity[0][2], 6 * 0.977792, 1e-5);
  EXPECT_NEAR(a.particles.eps[0], 8 / 206264.806, 1e-9);
  const Snapshot b = read("# x [kpc] y [kpc] z [kpc] vx [km/s] vy [km/s] vz [km/s] m [1e10 Msun]\n1 2 3 4 5 6 7\n");
  EXPECT_EQ(described(b.units), "kpc, 1e10 Msun, km/s (G = 43009.2)");
  EXPECT_EQ(b.particles.mass[0], 7);
  EXPECT_FALSE(read("x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n").has_units);
  EXPECT_EQ(error_of([&] { read("x [kpc],y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n"); }),
            "a.csv: line 1: column y has no unit, but others have (write \"y [...]\")");
  const std::string others = ",z [km],vx [m/s],vy [m/s],vz [m/s],mass [kg]\n1,2,3,4,5,6,7\n";
  EXPECT_NE(error_of([&] {
              read("x [km],y [m/s]" + others);
            }).find("a.csv: line 1: column y: 'm/s' is not a unit of this quantity"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { read("x [klm],y [km]" + others); }).find("line 1: column x: received the unknown unit 'klm'"),
      std::string::npos);
}

TEST(Csv, PositionsAloneMayHaveAUnit) {
  const std::string text = "x [kpc],y [pc],z [kpc]\n1,2000,3\n";
  const Snapshot found = io::parse_csv(std::as_bytes(std::span(text)), Columns::header, "a.csv", io::Lacking::assumed);
  EXPECT_NEAR(found.particles.position[0][1], 2, 1e-12);
  EXPECT_FALSE(found.has_units);
  EXPECT_EQ(found.units.G, 1.0);
  EXPECT_TRUE(contains(found.notes, "lengths are in kpc"));
}

TEST(Csv, SaysWhatItCannotHold) {
  const TemporaryFolder folder;
  EXPECT_TRUE(
      contains(write_snapshot(folder / "a.txt", sample(1, true), format_named("agama")), "units are not stored"));
  EXPECT_TRUE(contains(write_snapshot(folder / "a.csv", sample(1)), "csv: the time is not stored"));
  EXPECT_TRUE(contains(write_snapshot(folder / "a.txt", sample(1), format_named("agama")), "ids and families"));
}

}  // namespace
}  // namespace hornbeam
