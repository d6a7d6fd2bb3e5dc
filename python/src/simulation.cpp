// SPDX-License-Identifier: Apache-2.0
// A simulation in memory: the run library's session, observed by Python and by the live view.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include "binding.h"
#include "configuration.h"
#include "device/host/threads.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/simulation.h"
#include "interactions/modules.h"
#include "interrupt.h"
#include "kept_fields.h"
#include "own_force.h"
#include "run/config/config_json.h"
#include "run/session/schedule.h"
#include "run/session/session.h"
#include "run/session/start.h"
#include "run/setup/gas_start.h"
#include "served_view.h"

namespace hornbeam::python {

nb::object object_of(const Json& json) { return nb::module_::import_("json").attr("loads")(json.dump()); }

namespace {

run::SaidElsewhere elsewhere_of(const Text& text, const std::optional<Snapshot>& given) {
  return {.particles = given.has_value(),
          .end = true,
          .folder = text.folder,
          .units = given ? std::optional(given->units) : std::nullopt};
}

/// A snapshot of nothing in the units that a configuration comes to: those of [units], otherwise of its particles.
Snapshot units_of(const Text& text, const std::optional<Snapshot>& given) {
  const nb::gil_scoped_release free;
  const run::RunConfig config = run::parse_config(text.toml, text.overrides, text.subject, elsewhere_of(text, given));
  if (config.units && run::has_other_time(config.units_asked, *config.units)) {
    throw UsageError("units", "has a time that is not length / velocity, and there are values with units, too",
                     "write the values as texts, such as dt=\"0.1 Myr\"");
  }
  Snapshot found;
  if (given) found.units = given->units;
  if (!given && !config.input_file.empty()) {
    found.units = read_snapshot(std::filesystem::path(text.folder) / config.input_file, {}, config.reading).units;
  }
  if (config.units) found.units = *config.units;
  return found;
}

class MemorySimulation : public run::Observer {
 public:
  MemorySimulation(const Text& text, const std::optional<Snapshot>& given) {
    const nb::gil_scoped_release free;
    run::RunConfig config = run::parse_config(text.toml, text.overrides, text.subject, elsewhere_of(text, given));
    if (config.units && run::has_other_time(config.units_asked, *config.units)) {
      throw UsageError("units", "has a time that is not length / velocity, and a Simulation needs one unit of time",
                       "leave time out, and give times with units, as dt=\"0.1 Myr\"");
    }
    begin(run::prepare_in_memory(std::move(config), given, text.folder));
    session_->announce_start();
    session_->announce_device();
  }

  /// Goes on from a checkpoint of its own or of a run.
  explicit MemorySimulation(const std::string& checkpoint) {
    const nb::gil_scoped_release free;
    begin(run::resume_in_memory(checkpoint, *this));
    session_->announce_device();
  }

  /// Forces and rungs are found again. others: other particles, in the same units, at the present time; otherwise its
  /// own, as they were written to.
  void replace(Snapshot snapshot, bool others) {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    ++replaced_;
    check_units(snapshot, session_->units());
    if (others) snapshot.time = time();
    snapshot.particles.forget_forces();
    snapshot.particles.forget_steps();
    const SimulationOptions& options = session_->options();
    note(run::other_box_note(snapshot.boundary, options.boundary, "the particles were"));
    for (const std::string& one : run::gas_start_notes(snapshot, options)) note(one);
    keep_viscosity_in(snapshot.particles, others);
    const Json& option = session_->asked().at("gravity").at("eps");
    GravityOptions gravity = options.gravity;
    const auto [is_own, words] = settle_eps(
        snapshot.particles, [&] { return simulation().snapshot().particles.eps; }, others,
        option.is_null() ? std::nullopt : std::optional(option.get<double>()), gravity);
    note(words);
    session_->replace(std::move(snapshot), gravity, is_own);
  }

  void add_force(const OwnForce& force) {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    session_->add_force(force);
    ++replaced_;
  }

  /// Notes and remarks are reported once.
  void note(const std::string& text) override {
    if (text.empty() || std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return;
    notes_.push_back(text);
    said_.push_back(text);
  }
  void remark(const std::string& text) override { note(text.starts_with("WARNING: ") ? text : "WARNING: " + text); }
  void between_steps(bool another_follows) override {
    if (!view_) return;
    view_->source().between_steps(
        another_follows, changes(), [this] { return copy(); }, [this] { return asks_to_stop() != nullptr; });
  }
  const char* asks_to_stop() override { return interrupt_ && interrupt_->asked() ? "a signal" : nullptr; }
  /// What was said since this was asked last.
  std::vector<std::string> said() { return by_keywords(std::exchange(said_, {})); }

  /// Before steps: takes the energy that later ones are compared with.
  void prepare() {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    session_->begin();
    session_->watch_gas();
  }
  /// Between them: looks at what may have failed since.
  void watch() {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    session_->begin();
    if (session_->config().conserves_energy()) session_->watch_energy(session_->relative_error());
    session_->watch_gas();
  }
  void watch_gas() {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    session_->watch_gas();
  }

  /// The end, where the run was given one.
  [[nodiscard]] std::optional<double> end() const {
    const double end = session_->config().end;
    return end < HUGE_VAL ? std::optional(end) : std::nullopt;
  }

  /// At most so many steps; returns how many.
  std::uint64_t run(double until, std::uint64_t most) {
    interrupt_.emplace();
    std::uint64_t made = 0;
    {
      const nb::gil_scoped_release free;
      const Work work(*this);
      made = session_->run(until, most);
    }
    interrupt_->raise();
    return made;
  }

  /// In a browser (src/view/), while this lives. every: seconds between two copies at least.
  std::shared_ptr<ServedView> serve(const std::string& title, const view::ServerOptions& options, double every,
                                    std::size_t most) {
    const nb::gil_scoped_release free;
    if (view_ && view_->is_open()) {
      throw Error("serve", "the simulation is already served at " + view_->url(), "close that view first");
    }
    const std::scoped_lock work(at_work_);
    auto source = std::make_shared<view::LiveSource>(
        title, simulation().energies().total(), [this](std::uint64_t known) { return copy_at_rest(known); }, every,
        most, session_->config().conserves_energy());
    view_ = std::make_shared<ServedView>(std::move(source), options);
    return view_;
  }
  ~MemorySimulation() override {
    if (!view_) return;
    const nb::gil_scoped_release free;  // forces of one's own take the lock
    view_->close();                     // it asks this
  }
  MemorySimulation(const MemorySimulation&) = delete;
  MemorySimulation& operator=(const MemorySimulation&) = delete;

  [[nodiscard]] double time() const { return simulation().time(); }
  [[nodiscard]] std::uint64_t steps() const { return session_->steps(); }
  [[nodiscard]] std::size_t size() const { return simulation().size(); }
  [[nodiscard]] Energies energies() const {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    return simulation().energies();
  }
  [[nodiscard]] Snapshot snapshot() const {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    return simulation().snapshot();
  }
  [[nodiscard]] Snapshot snapshot_at(double time) const {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    return simulation().snapshot_at(time);
  }
  [[nodiscard]] std::vector<std::string> computed() const { return computed_fields(session_->options().gas); }
  [[nodiscard]] nb::object options() const { return object_of(session_->asked()); }
  [[nodiscard]] std::vector<std::string> notes() const { return by_keywords(notes_); }
  [[nodiscard]] std::string softening() const { return session_->softening(); }
  [[nodiscard]] std::string backend() const { return simulation().system().name(); }
  [[nodiscard]] bool on_host() const { return backend().rfind("cpu", 0) == 0; }
  [[nodiscard]] std::string record() const { return session_->record(); }
  [[nodiscard]] std::uint64_t collisions() const { return simulation().collisions().number; }
  [[nodiscard]] double momentum_flux() const { return simulation().collisions().momentum_flux; }
  [[nodiscard]] nb::object events() const { return object_of(run::events_json(session_->kept_events())); }
  [[nodiscard]] nb::list halted() const {
    nb::list pairs;
    for (const auto& [first, second] : simulation().halted()) pairs.append(nb::make_tuple(first, second));
    return pairs;
  }
  [[nodiscard]] double next_step() const { return simulation().next_step(); }
  [[nodiscard]] nb::object particle_steps() const {
    std::vector<double> lengths;
    {
      const nb::gil_scoped_release free;
      const std::scoped_lock work(at_work_);
      lengths = simulation().particle_steps();
    }
    return array_of(std::move(lengths));
  }

  [[nodiscard]] nb::object internal_energy_rate() const {
    std::vector<double> rate;
    {
      const nb::gil_scoped_release free;
      const std::scoped_lock work(at_work_);
      if (session_->options().gas.flows()) rate = simulation().checkpoint().particles.internal_energy_rate;
    }
    return rate.empty() ? nb::none() : array_of(std::move(rate));
  }

  void checkpoint(const std::string& path) {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    session_->begin();
    write_checkpoint(path, session_->checkpoint(session_->so_far()));
  }

 private:
  /// Steps are being made: the view's threads keep away.
  class Work {
   public:
    explicit Work(MemorySimulation& of) : alone_(of.at_work_), view_(of.view_.get()) { tell(true); }
    ~Work() { tell(false); }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    void tell(bool is) const {
      if (view_ != nullptr) view_->source().at_work(is);
    }
    std::scoped_lock<std::mutex> alone_;
    ServedView* view_;
  };

  void keep_viscosity_in(Particles& p, bool others) const {
    const GasOptions& gas = session_->options().gas;
    if (gas.viscosity != Viscosity::cullen_dehnen || !gas.flows()) return;
    Particles had;
    try {
      had = simulation().checkpoint().particles;
    } catch (const Error&) {  // numbers were lost: it begins again
      return;
    }
    keep_viscosity(p, std::move(had), others, gas.starting_alpha());
  }

  [[nodiscard]] std::uint64_t changes() const { return 1 + steps() + (replaced_ << 40); }
  [[nodiscard]] view::Shot copy() const {
    memory::demand(simulation().size(), view::copy_need(acting_in(session_->options())));
    return {simulation().snapshot(), steps(), simulation().energies(), simulation().system().seconds(), changes()};
  }
  /// For the view's threads, without more of them: the system may have none left.
  std::optional<view::Shot> copy_at_rest(std::uint64_t known) {
    const std::unique_lock alone(at_work_, std::try_to_lock);
    if (!alone.owns_lock() || changes() == known) return {};
    const NoTeam few;
    return copy();
  }
  [[nodiscard]] const Simulation& simulation() const { return session_->simulation(); }
  void begin(run::ReadyRun ready) {
    session_.emplace(std::move(ready.config), std::move(ready.asked), std::move(ready.start), *this);
    session_->keep_events();
  }

  std::optional<run::Session> session_;
  std::vector<std::string> notes_, said_;
  std::optional<Interrupt> interrupt_;  ///< of the steps that are being made
  std::uint64_t replaced_ = 0;
  mutable std::mutex at_work_;  ///< of the simulation: the view's threads take copies of it where it rests
  std::shared_ptr<ServedView> view_;
};

}  // namespace

void bind_simulation(nb::module_& m) {
  using S = MemorySimulation;
  nb::class_<S>(m, "Simulation")
      .def(nb::init<const Text&, const std::optional<Snapshot>&>(), nb::arg("text"), nb::arg("given").none())
      .def(nb::init<const std::string&>())
      .def("replace", &S::replace)
      .def(
          "add_force",
          [](S& s, const std::string& name, nb::object acceleration, nb::object potential, nb::object step) {
            s.add_force(own_force(name, std::move(acceleration), std::move(potential), std::move(step)));
          },
          nb::arg("name"), nb::arg("acceleration"), nb::arg("potential").none(), nb::arg("step").none())
      .def("run", &S::run)
      .def("prepare", &S::prepare)
      .def("watch", &S::watch)
      .def("watch_gas", &S::watch_gas)
      .def("said", &S::said)
      .def("energies", &S::energies)
      .def("snapshot", &S::snapshot)
      .def("snapshot_at", &S::snapshot_at)
      .def("checkpoint", &S::checkpoint)
      .def(
          "serve",
          [](S& s, const std::string& title, const std::string& host, std::uint16_t port,
             const std::optional<std::string>& token, double every, std::size_t most) {
            return s.serve(title, {{host, port}, token}, every, most);
          },
          nb::arg("title"), nb::arg("host"), nb::arg("port"), nb::arg("token").none(), nb::arg("every"),
          nb::arg("most"))
      .def("record", &S::record)
      .def("options", &S::options)
      .def("next_step", &S::next_step)
      .def("particle_steps", &S::particle_steps)
      .def("internal_energy_rate", &S::internal_energy_rate)
      .def_prop_ro("end", &S::end)
      .def_prop_ro("time", &S::time)
      .def_prop_ro("steps", &S::steps)
      .def_prop_ro("size", &S::size)
      .def_prop_ro("notes", &S::notes)
      .def_prop_ro("computed", &S::computed)
      .def_prop_ro("softening", &S::softening)
      .def_prop_ro("backend", &S::backend)
      .def_prop_ro("on_host", &S::on_host)
      .def_prop_ro("collisions", &S::collisions)
      .def_prop_ro("momentum_flux", &S::momentum_flux)
      .def("events", &S::events)
      .def_prop_ro("halted", &S::halted);
  m.def("units_of", &units_of, nb::arg("text"), nb::arg("given").none());
  m.def("nth_time", &run::nth_time);
}

}  // namespace hornbeam::python
