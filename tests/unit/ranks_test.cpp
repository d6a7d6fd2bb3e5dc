// SPDX-License-Identifier: Apache-2.0
// How several devices share targets, and the texts that name them.
#include "device/ranks.h"

#include <gtest/gtest.h>

#include <vector>

#include "hornbeam/device_arrays.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

TEST(Turns, GiveEachTargetToOneRank) {
  for (const int ranks : {2, 3, 4, 7}) {
    for (const std::int64_t targets : {1, 63, 64, 65, 640, 1000}) {
      const Turns turns{targets, 64, ranks};
      std::vector<std::int64_t> counted(static_cast<std::size_t>(ranks));
      for (std::int64_t t = 0; t < targets; ++t) ++counted[static_cast<std::size_t>(t / turns.run % ranks)];
      for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(turns.of(rank), counted[static_cast<std::size_t>(rank)]) << targets << " on " << ranks;
      }
    }
  }
}

TEST(DevicesText, IsReadAsItIsWritten) {
  EXPECT_EQ(Devices::from_text("0", "device"), Devices(0));
  EXPECT_EQ(Devices::from_text("3", "device").indices, std::vector<int>{3});
  EXPECT_EQ(Devices::from_text("1,0", "device").indices, (std::vector<int>{1, 0}));
  EXPECT_TRUE(Devices::from_text("all", "device").are_all());
  for (const char* text : {"0", "1,0", "all"}) EXPECT_EQ(Devices::from_text(text, "device").text(), text);
}

TEST(DevicesText, IsRefusedWhereItNamesNone) {
  for (const char* text : {"", "a", "-1", "0,", ",0", "0,,1", "1.5", "0 1", "0,0", "99999999999", "All"}) {
    EXPECT_THROW(static_cast<void>(Devices::from_text(text, "device")), UsageError) << text;
  }
}

}  // namespace
}  // namespace hornbeam
