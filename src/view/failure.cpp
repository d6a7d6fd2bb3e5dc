// SPDX-License-Identifier: Apache-2.0
// Exceptions of any type in words, see failure.h.
#include "view/failure.h"

#include <exception>
#include <new>

namespace hornbeam::view {

void tell_failure(const std::function<void(std::string_view)>& tell) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    tell("memory: there is too little to show this (use fewer particles, or close other programs)");
  } catch (const std::exception& error) {
    tell(error.what());
  } catch (...) {
    tell("view: an unknown error");
  }
}

}  // namespace hornbeam::view
