// SPDX-License-Identifier: Apache-2.0
// A configuration with every key there is: those that it sets, and next to them, commented out, all others of the
// table. Before it: the few lines that `hornbeam init` begins with; after it: a user's editor.
#pragma once

#include <string>

namespace hornbeam::run {

/// Returns `toml` with a line such as `# theta = 0.6  # opening angle` for each key that it does not set, in its
/// section, with the default. Comments after keys are in one column. The keys of a model are among them. Missing
/// sections come last, but for [input] next to [ic] and [ic] next to [input]. A line of `toml` has one key, or the name
/// of one section.
std::string with_all_keys(const std::string& toml);

}  // namespace hornbeam::run
