// SPDX-License-Identifier: Apache-2.0
// Ctrl-C between steps, while the interpreter's lock is not held.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "binding.h"

namespace hornbeam::python {

/// Whether Python's signal handlers have raised, as Ctrl-C does in the main thread: asked a few times a second, while
/// the interpreter's lock is not held. What they have raised is kept, for raise(). Other threads never ask for the
/// lock: Python ends those that do so while it shuts down, in the midst of a step.
class Interrupt {
 public:
  /// With the lock held. handled: a function that says whether a handler has asked to stop that does not raise.
  explicit Interrupt(nb::object handled = nb::none()) : handled_(std::move(handled)) {
    const nb::module_ threading = nb::module_::import_("threading");
    main_ = threading.attr("current_thread")().is(threading.attr("main_thread")());
  }
  bool asked() {
    if (!main_) return false;
    const auto now = Clock::now();
    if (asked_ || now - looked_ < std::chrono::milliseconds(50)) return asked_;
    looked_ = now;
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) raised_.emplace();  // takes it: what is done until the end may ask Python, too
    asked_ = raised_ || (!handled_.is_none() && nb::cast<bool>(handled_()));
    return asked_;
  }
  /// With the lock held.
  void raise() const {
    if (raised_) throw nb::python_error(*raised_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point looked_ = Clock::now();
  bool main_ = true;
  bool asked_ = false;
  nb::object handled_;
  std::optional<nb::python_error> raised_;
};

}  // namespace hornbeam::python
