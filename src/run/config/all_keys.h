// SPDX-License-Identifier: Apache-2.0
// A configuration with every key there is: those that it sets, and beside them, commented out, all others of the table.
// Before it: the few lines that `hornbeam init` begins with; after it: a user's editor.
#pragma once

#include <string>

namespace hornbeam::run {

/// `toml`, its comments behind keys in one column, and in each section lines such as `# theta = 0.6  # opening angle`
/// for the keys that it does not set, with what holds without them; a model's own among them. Sections that it has not
/// come last, but for [input] beside [ic] and [ic] beside [input]. A line of `toml` holds one key, or one section's
/// name.
std::string with_all_keys(const std::string& toml);

}  // namespace hornbeam::run
