// SPDX-License-Identifier: Apache-2.0
// Runs into a folder, which the run library makes itself, as for `hornbeam run`.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>

#include "configuration.h"
#include "interrupt.h"
#include "run/session/loop.h"
#include "run/session/session.h"

namespace hornbeam::python {
namespace {

/// Hands what a run has to say to one Python function, tell(kind, text or dict).
class Listener : public run::Observer {
 public:
  Listener(nb::object tell, nb::object handled) : tell_(std::move(tell)), interrupt_(std::move(handled)) {}

  void note(const std::string& text) override { tell("note", text); }
  void remark(const std::string& text) override { tell("remark", text); }
  void output(const run::Output& output) override {
    const nb::gil_scoped_acquire held;
    nb::dict what;
    what["index"] = output.index;
    what["time"] = output.at.time;
    what["step"] = output.at.step;
    what["relative_error"] = output.at.relative_error;
    if (!tell_.is_none()) tell_("output", what);
  }
  /// tell("stopped", where it was and how to go on) if it did not come to its end.
  void ends(const run::Ending& end) override {
    if (end.by == nullptr) return;
    const std::string nothing = run::nothing_to_resume(end);
    const std::string from =
        nothing.empty() ? "resume=True goes on from " + (end.directory / "checkpoint.hdf5").string() : nothing;
    tell("stopped", "stopped at t = " + end.session.shown_time().text(end.session.simulation().time()) + ": " + from);
  }
  const char* asks_to_stop() override { return interrupt_.asked() ? "a signal" : nullptr; }
  void raise_interrupt() const { interrupt_.raise(); }

 private:
  void tell(const char* kind, const std::string& text) {
    const nb::gil_scoped_acquire held;
    if (!tell_.is_none()) tell_(kind, by_keywords(text, false));
  }
  nb::object tell_;
  Interrupt interrupt_;
};

/// As `hornbeam run`; returns its folder. handled: as of Interrupt.
std::string run_in_folder(const Text& text, const std::string& mode, bool allow_changes, const nb::object& tell,
                          const nb::object& handled) {
  using Mode = run::RunDirectory::Mode;
  Listener listener(tell, handled);
  std::string folder;
  {
    const nb::gil_scoped_release free;
    run::RunConfig config = run::parse_config(text.toml, text.overrides, text.subject, {.folder = text.folder});
    run::RunRequest request{.allow_changes = allow_changes, .folder = text.folder};
    request.or_start = mode == "resume-or-start";
    if (mode == "resume" || request.or_start) request.mode = Mode::resume;
    if (mode == "overwrite") request.mode = Mode::overwrite;
    folder = config.output.directory;
    std::optional<run::ReadyRun> ready = run::prepare_unless_finished(std::move(config), request, listener);
    if (ready) run::run_to_the_end(std::move(*ready), listener);
  }
  listener.raise_interrupt();
  return folder;
}

}  // namespace

void bind_runs(nb::module_& m) {
  nb::class_<Text>(m, "Text").def("__init__",
                                  [](Text* self, const std::string& toml, const std::vector<std::string>& overrides,
                                     const std::string& subject, const std::string& folder) {
                                    new (self) Text{toml, overrides, subject, folder};
                                  });
  m.def("run_in_folder", &run_in_folder, nb::arg("text"), nb::arg("mode"), nb::arg("allow_changes"),
        nb::arg("tell").none(), nb::arg("handled"));
}

}  // namespace hornbeam::python
