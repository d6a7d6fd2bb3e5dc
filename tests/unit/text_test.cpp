// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

TEST(Text, Utf8IsKnownFromOtherBytes) {
  for (const char* text : {"", "kpc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\x8c", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  // alone, cut short, overlong, a surrogate, beyond the last
  for (const char* text : {"\xff", "\x80", "\xc3", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe9 b"}) {
    EXPECT_FALSE(is_utf8(text)) << one_line(text);
  }
}

TEST(Text, LinesHoldNothingThatIsNoText) {
  EXPECT_EQ(one_line("a\n\n b\tc\x01"), "a  b c\\x01");
  EXPECT_EQ(one_line("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(one_line("caf\xe9"), "caf\\xe9");
}

}  // namespace
}  // namespace hornbeam
