// SPDX-License-Identifier: Apache-2.0
// Cores of the host that are near a card: copies to and from others of a machine with several sockets take longer.
#pragma once

#include <string>
#include <vector>

namespace hornbeam::processes {

/// The numbers of a list as Linux writes it, "0-3,8"; empty for other texts.
std::vector<int> cores_of(const std::string& list);

/// Keeps this process on the cores of the list. Does nothing where the launcher has chosen some for it already, or none
/// of the list can be had.
void stay_near(const std::string& list);

}  // namespace hornbeam::processes
