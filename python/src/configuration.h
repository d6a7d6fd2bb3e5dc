// SPDX-License-Identifier: Apache-2.0
// What python/hornbeam/options.py makes of keywords and files, before the run library reads it.
#pragma once

#include <string>
#include <vector>

namespace hornbeam::python {

/// A configuration as it is written.
struct Text {
  std::string toml;
  std::vector<std::string> overrides;  ///< "section.key=value"
  std::string subject;                 ///< of messages
  std::string folder;                  ///< of files that it names
};

}  // namespace hornbeam::python
