// SPDX-License-Identifier: Apache-2.0
// The table of fields: every row goes through everything that is done by the rows. A new row is tested from here on.
#include "core/fields.h"

#include <set>

#include "io/checkpoint.h"
#include "io/tables/number_field.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

/// Values that differ from field to field and from particle to particle, and that every rule allows.
void fill(std::vector<Vec3>& values, double seed) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {seed + 0.1 * static_cast<double>(i), -seed, 1 / (seed + static_cast<double>(i))};
  }
}
template <class T>
void fill(std::vector<T>& values, double seed) {
  constexpr bool wide = std::is_same_v<T, double> || std::is_same_v<T, std::uint64_t>;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = seed + (std::is_same_v<T, double> ? 0.1 : 1.0) * static_cast<double>(i);
    values[i] = wide ? static_cast<T>(value) : static_cast<T>(i % 2);  // families gas and halo, rungs 0 and 1
  }
}

/// Every array filled.
Particles all_fields(std::size_t n) {
  Particles p;
  double seed = 1;
  for_each_array(p, [&](auto& array, const FieldRow& row) {
    array.resize(n);
    fill(array, seed += 3);
    if constexpr (std::is_same_v<decltype(array), std::vector<double>&>) {
      if (row.rule == Rule::number)
        std::transform(array.begin(), array.end(), array.begin(), [](double v) { return std::floor(v); });
    }
  });
  return p;
}

/// Calls same(found, expected, row) for each field.
template <class Same>
void compare(const Particles& found, const Particles& expected, const Same& same) {
  for_each_field([&](const auto& field) { same(found.*field.array, expected.*field.array, field.row); });
}

TEST(Fields, HaveARowForEachMemberInTheirOrder) {
  Particles p;
  const auto* at = reinterpret_cast<const char*>(&p);
  for_each_array(p, [&](const auto& array, const FieldRow& row) {
    EXPECT_EQ(static_cast<const void*>(&array), static_cast<const void*>(at)) << row.name;
    at += sizeof array;
  });
  EXPECT_EQ(at, reinterpret_cast<const char*>(&p + 1)) << "a member without a row";
}

TEST(Fields, NamesAreUnique) {
  std::set<std::string> names, datasets, columns;
  const auto add = [](std::set<std::string>& to, std::string_view name) {
    EXPECT_TRUE(to.emplace(name).second) << name << " stands twice";
  };
  for_each_field([&](const auto& field) {
    add(names, field.row.name);
    if (field.row.dataset.name != nullptr) add(datasets, field.row.dataset.name);
    for (const auto* of : {&field.row.columns.names, &field.row.columns.others}) {
      for (const std::string_view name : *of) {
        if (!name.empty()) add(columns, name);
      }
    }
  });
}

TEST(Fields, VectorsHaveAColumnAnAxisAndNumbersOne) {
  for_each_field([&](const auto& field) {
    const auto& names = field.row.columns.names;
    const auto count = names.size() - static_cast<std::size_t>(std::count(names.begin(), names.end(), ""));
    if (count == 0) return;
    EXPECT_EQ(count, (std::is_same_v<decltype(field), const Field<Vec3>&> ? 3u : 1u)) << field.row.name;
  });
}

TEST(Fields, AllSurviveCheckpoints) {
  const TemporaryFolder folder;
  Checkpoint start;
  start.snapshot.particles = all_fields(7);
  write_checkpoint(folder / "checkpoint.hdf5", start);
  const Checkpoint found = read_checkpoint(folder / "checkpoint.hdf5");
  compare(found.snapshot.particles, start.snapshot.particles,
          [](const auto& f, const auto& e, const FieldRow& row) { EXPECT_TRUE(f == e || !row.in_checkpoints); });
}

/// Through a file of that format: what `is_held` says is the same, and the rest is empty.
template <class IsHeld>
void expect_fields_through(const std::string& format, const IsHeld& is_held) {
  const TemporaryFolder folder;
  Snapshot start;
  start.particles = all_fields(1);  // of one family, so that no order is changed
  start.particles.family = {Family::gas};
  start.particles.append(start.particles);
  start.particles.id = {8, 5};
  write_snapshot(folder / "all", start, format_named(format));
  compare(read_snapshot(folder / "all", format_named(format)).particles, start.particles,
          [&](const auto& found, const auto& expected, const FieldRow& row) {
            EXPECT_TRUE(is_held(row) ? found == expected : found.empty()) << format << ": " << row.name;
          });
}

TEST(Fields, WithADatasetGoThroughHdf5) {
  expect_fields_through("hdf5", [](const FieldRow& row) {
    return row.dataset.name != nullptr || row.rule == Rule::family;  // which the number of the group is
  });
}

TEST(Fields, WithAColumnGoThroughTables) {
  expect_fields_through("csv", [](const FieldRow& row) { return !row.columns.names[0].empty(); });
  expect_fields_through("npz", [](const FieldRow& row) { return row.life != Life::run; });
}

TEST(Fields, AreSelectedResizedAndJoined) {
  const Particles p = all_fields(4);
  const Particles some = selected(p, {2, 0});
  compare(some, p, [](const auto& found, const auto& all, const FieldRow& row) {
    ASSERT_EQ(found.size(), 2u) << row.name;
    EXPECT_TRUE(found[0] == all[2] && found[1] == all[0]) << row.name;
  });
  Particles joined = some;
  joined.append(p);
  compare(joined, p, [](const auto& found, const auto& all, const FieldRow& row) {
    ASSERT_EQ(found.size(), 6u) << row.name;
    EXPECT_TRUE(std::equal(all.begin(), all.end(), found.begin() + 2)) << row.name;
  });
  joined.resize(3);
  for_each_array(joined, [](const auto& array, const FieldRow& row) { EXPECT_EQ(array.size(), 3u) << row.name; });
  Particles bare;
  bare.resize(2);
  joined.append(bare);
  for_each_array(joined, [](const auto& array, const FieldRow& row) {
    EXPECT_EQ(array.size(), row.required || row.join != Join::drop ? 5u : 0u) << row.name;
  });
}

TEST(Fields, AreForgottenAsLongAsTheyLive) {
  Particles p = all_fields(2);
  p.forget_forces();
  p.forget_steps();
  for_each_array(p, [](const auto& array, const FieldRow& row) {
    EXPECT_EQ(array.empty(), row.life != Life::lasting) << row.name;
  });
  EXPECT_TRUE(p.acceleration.empty() && p.rung.empty() && !p.eps.empty());
}

TEST(Fields, OfAnotherLengthOrThatAreNotFiniteAreRefusedByName) {
  const auto refusal = [](const auto& field, const auto& change) {
    Particles p = all_fields(3);
    change(p.*field.array);
    return test::error_of([&] { p.validate("file"); });
  };
  for_each_field([&](const auto& field) {
    using Value = typename std::decay_t<decltype(field)>::Value;
    const std::string longer = refusal(field, [](auto& values) { values.push_back(values[0]); });
    if (std::string(field.row.name) != "position") {  // whose length is the number of particles
      EXPECT_EQ(longer, "file: " + std::string(field.row.name) + " has 4 entries for 3 particles");
    }
    if constexpr (std::is_same_v<Value, double>) {
      EXPECT_EQ(refusal(field, [](auto& values) { values[1] = HUGE_VAL; }),
                "file: particle 1 (id 14): " + std::string(field.row.said()) + " = inf: must be finite");
    }
  });
}

/// Formats with a fixed layout say what they cannot hold: every optional field that files have at all is either read
/// back or named in a sentence.
TEST(Fields, ThatAFormatDropsAreNamed) {
  Particles p = all_fields(2);
  const std::vector<std::string> dropped = [&] {
    std::vector<std::string> sentences;
    io::add_unknown_fields(sentences, p, "some format", {"eps", "density"});
    return sentences;
  }();
  EXPECT_TRUE(contains(dropped, "some format: smoothing length is dropped"));
  EXPECT_FALSE(contains(dropped, "density"));
  EXPECT_FALSE(contains(dropped, "velocity"));
}

}  // namespace
}  // namespace hornbeam
