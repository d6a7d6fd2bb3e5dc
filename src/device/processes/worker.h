// SPDX-License-Identifier: Apache-2.0
// What processes but the first one do: what that one requests of their devices.
#pragma once

namespace hornbeam::processes {

class Team;

/// Until the first process ends. Returns its exit status.
int serve(Team& team);

}  // namespace hornbeam::processes
