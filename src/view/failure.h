// SPDX-License-Identifier: Apache-2.0
// What was thrown while something was shown, as a line for the page: a viewer never ends a run.
#pragma once

#include <functional>
#include <string_view>

namespace hornbeam::view {

/// Within catch (...): calls `tell` with what was thrown, of any type. It needs no memory for that.
void tell_failure(const std::function<void(std::string_view)>& tell);

}  // namespace hornbeam::view
