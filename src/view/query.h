// SPDX-License-Identifier: Apache-2.0
// The words of a request's target, "/frame?index=3&colour=speed". http.cpp reads them, server.cpp uses them.
#pragma once

#include <map>
#include <string>

namespace hornbeam::view {

/// Decodes %XX and +; what is no such code stays as it stands.
std::string decoded(const std::string& text);

/// Path and query, both decoded.
void split_target(const std::string& target, std::string& path, std::map<std::string, std::string>& query);

}  // namespace hornbeam::view
