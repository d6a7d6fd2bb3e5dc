// SPDX-License-Identifier: Apache-2.0
// Ctrl-C between steps, while the interpreter's lock is not held.
#pragma once

#include <chrono>

#include "binding.h"

namespace hornbeam::python {

/// Whether Python's signal handlers have raised, as Ctrl-C does in the main thread: asked a few times a second, while
/// the interpreter's lock is not held. What they have raised stays set. Other threads never ask for the lock: Python
/// ends those that do so while it shuts down, in the midst of a step.
class Interrupt {
 public:
  Interrupt() {  // with the lock held
    const nb::module_ threading = nb::module_::import_("threading");
    main_ = threading.attr("current_thread")().is(threading.attr("main_thread")());
  }
  bool asked() {
    if (!main_) return false;
    const auto now = Clock::now();
    if (raised_ || now - looked_ < std::chrono::milliseconds(50)) return raised_;
    looked_ = now;
    const nb::gil_scoped_acquire held;
    raised_ = PyErr_CheckSignals() != 0;
    if (raised_) PyErr_Clear();  // raised again at the end: what is done until then may ask Python, too
    return raised_;
  }
  /// With the lock held.
  void raise() const {
    if (!raised_) return;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point looked_ = Clock::now();
  bool main_ = true;
  bool raised_ = false;
};

}  // namespace hornbeam::python
