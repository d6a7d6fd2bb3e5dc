// SPDX-License-Identifier: Apache-2.0
// A simulation in memory: a configuration and its start, as the run library reads and prepares them, and the library's
// Simulation.
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
#include "interrupt.h"
#include "kept_fields.h"
#include "run/config/config_json.h"
#include "run/folder/run_directory.h"
#include "run/records/figures.h"
#include "run/records/record.h"
#include "run/session/alarms.h"
#include "run/session/schedule.h"
#include "run/session/start.h"
#include "run/setup/gas_start.h"
#include "served_view.h"
#include "simulation/acting.h"

namespace hornbeam::python {

nb::object object_of(const run::Json& json) { return nb::module_::import_("json").attr("loads")(json.dump()); }

namespace {

/// A snapshot of nothing in the units that a configuration comes to: those of [units], else of its particles.
Snapshot units_of(const Text& text, const std::optional<Snapshot>& given) {
  const nb::gil_scoped_release free;
  const run::RunConfig config =
      run::parse_config(text.toml, text.overrides, text.subject, {.particles = given.has_value(), .end = true});
  Snapshot found;
  if (given) found.units = given->units;
  if (!given && !config.input_file.empty()) {
    found.units = read_snapshot(std::filesystem::path(text.folder) / config.input_file, {}, config.reading).units;
  }
  if (config.units) found.units = *config.units;
  return found;
}

class MemorySimulation {
 public:
  MemorySimulation(const Text& text, const std::optional<Snapshot>& given) {
    const nb::gil_scoped_release free;
    config_ = run::parse_config(text.toml, text.overrides, text.subject, {.particles = given.has_value(), .end = true});
    asked_ = to_json(config_);
    run::RunStart start = run::start_in_memory(config_, given, text.folder);
    asked_["boundary"] = to_json(config_)["boundary"];
    begin(std::move(start));
  }

  /// Goes on from a checkpoint of its own or of a run.
  explicit MemorySimulation(const std::string& checkpoint) {
    const nb::gil_scoped_release free;
    std::vector<std::string> notes;
    Checkpoint found = std::filesystem::is_directory(checkpoint) ? run::newest_checkpoint(checkpoint, notes)
                                                                 : read_checkpoint(checkpoint);
    const run::SavedRun saved = run::saved_run(found, checkpoint);
    config_ = run::config_from(saved.configuration, checkpoint);
    config_.simulation.gravity.leaf_size = saved.leaf_size;
    config_.simulation.gravity.group_size = saved.group_size;
    config_.simulation.costs = saved.costs;
    asked_ = saved.configuration;
    run::RunStart start;
    start.time = saved.start_time;
    start.so_far = saved.so_far;
    start.step = found.step;
    start.initial_energy = found.initial_energy;
    start.snapshot = std::move(found.snapshot);
    run::settle_law(config_, start.snapshot.units);
    begin(std::move(start));
    notes_.insert(notes_.begin(), notes.begin(), notes.end());
  }

  /// Forces and rungs are found anew. others: other particles, in the same units, at the present time; else its own, as
  /// they were written to. Returns what there is to say of them and has not been said yet.
  std::vector<std::string> replace(Snapshot snapshot, bool others) {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    ++replaced_;
    check_units(snapshot, units_);
    snapshot.units = units_;
    snapshot.has_units = has_units_;
    if (others) snapshot.time = simulation_->time();
    snapshot.particles.forget_forces();
    snapshot.particles.forget_steps();
    keep_viscosity_in(snapshot.particles, others);
    std::vector<std::string> said = more_notes(snapshot);
    SimulationOptions options = options_;
    options.resumed = false;
    options.collided = simulation_->collisions();
    options.costs = simulation_->costs();
    const run::Json& option = asked_.at("gravity").at("eps");
    const auto [is_own, note] = settle_eps(
        snapshot.particles, [&] { return simulation_->snapshot().particles.eps; }, others,
        option.is_null() ? std::nullopt : std::optional(option.get<double>()), options.gravity);
    tell(note, said);
    std::string softening =
        is_own ? run::softening_line(options.gravity, snapshot.particles, "the particles' own") : softening_;
    Simulation anew(std::move(snapshot), options);
    first_step_ += simulation_->steps();
    options_ = options;
    softening_ = std::move(softening);
    if (is_own) {  // in checkpoints and files, too
      config_.simulation.gravity.eps = -1;
      asked_["gravity"]["eps"] = nullptr;
    }
    simulation_.emplace(std::move(anew));
    initial_energy_.reset();
    alarm_ = {};
    return by_keywords(said);
  }

  /// Before steps: the energy that later ones are compared with; what to say of a start far from equilibrium, once.
  std::string watch_start() {
    if (!config_.conserves_energy()) return "";
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    if (initial_energy_) return "";
    const Energies energies = simulation_->energies();
    initial_energy_ = energies.total();
    return steps() == 0 ? run::virial_note(config_, energies, units_) : "";
  }
  /// Between steps: what to say where the energy has left since then, once beyond 1 % and once beyond 10 %.
  std::string watch_energy() {
    if (!config_.conserves_energy() || !initial_energy_ || *initial_energy_ == 0) return "";
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    const double error = (simulation_->energies().total() - *initial_energy_) / std::abs(*initial_energy_);
    if (!alarm_.passes(error)) return "";
    return run::EnergyAlarm::words(error, simulation_->time(),
                                   run::likely_remedy(simulation_->snapshot().particles, config_.simulation));
  }

  /// The end, where the run was given one.
  [[nodiscard]] std::optional<double> end() const {
    return config_.end < HUGE_VAL ? std::optional(config_.end) : std::nullopt;
  }

  /// At most so many steps; returns how many.
  std::uint64_t run(double until, std::uint64_t most) {
    Interrupt interrupt;
    const std::uint64_t before = simulation_->steps();
    {
      const nb::gil_scoped_release free;
      const Work work(*this);
      const auto goes_on = [&](const Simulation& s) {
        const bool more = s.steps() - before < most && s.halted().empty();
        show(more && s.time() < until, interrupt);
        return more && !interrupt.asked();
      };
      show(simulation_->time() < until, interrupt);
      if (!interrupt.asked()) simulation_->run(until, goes_on, [&](double) { return !interrupt.asked(); });
    }
    interrupt.raise();
    return simulation_->steps() - before;
  }
  void step(std::uint64_t count) {
    Interrupt interrupt;
    {
      const nb::gil_scoped_release free;
      const Work work(*this);
      Simulation::Passing passing;
      passing.go_on = [&](double) { return !interrupt.asked(); };
      show(count > 0, interrupt);
      for (std::uint64_t k = 0; k < count && !interrupt.asked(); ++k) {
        simulation_->step(passing);
        const bool more = k + 1 < count && simulation_->halted().empty();
        show(more, interrupt);
        if (!more) break;
      }
    }
    interrupt.raise();
  }

  /// In a browser (src/view/), while this lives. every: seconds between two copies at least.
  std::shared_ptr<ServedView> serve(const std::string& title, const view::ServerOptions& options, double every,
                                    std::size_t most) {
    const nb::gil_scoped_release free;
    if (view_ && view_->is_open()) {
      throw Error("serve", "the simulation is served already at " + view_->url(), "close that view first");
    }
    const std::scoped_lock work(at_work_);
    auto source = std::make_shared<view::LiveSource>(
        title, simulation_->energies().total(), [this](std::uint64_t known) { return copy_at_rest(known); }, every,
        most);
    view_ = std::make_shared<ServedView>(std::move(source), options);
    return view_;
  }
  ~MemorySimulation() {
    if (view_) view_->close();  // it asks this
  }
  MemorySimulation(const MemorySimulation&) = delete;
  MemorySimulation& operator=(const MemorySimulation&) = delete;

  [[nodiscard]] double time() const { return simulation_->time(); }
  [[nodiscard]] std::uint64_t steps() const { return first_step_ + simulation_->steps(); }
  [[nodiscard]] std::size_t size() const { return simulation_->size(); }
  [[nodiscard]] Energies energies() const {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    return simulation_->energies();
  }
  [[nodiscard]] Snapshot snapshot() const {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    return simulation_->snapshot();
  }
  [[nodiscard]] Snapshot snapshot_at(double time) const {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    return simulation_->snapshot_at(time);
  }
  [[nodiscard]] std::vector<std::string> computed() const { return computed_fields(options_.gas); }
  [[nodiscard]] nb::object options() const { return object_of(asked_); }
  [[nodiscard]] std::vector<std::string> notes() const { return by_keywords(notes_); }
  [[nodiscard]] std::string softening() const { return softening_; }
  [[nodiscard]] std::string backend() const { return simulation_->system().name(); }
  [[nodiscard]] bool on_host() const { return backend().rfind("cpu", 0) == 0; }
  [[nodiscard]] std::string record() const { return run::record_of(*simulation_, asked_); }
  [[nodiscard]] std::uint64_t collisions() const { return simulation_->collisions().number; }
  [[nodiscard]] nb::list halted() const {
    nb::list pairs;
    for (const auto& [first, second] : simulation_->halted()) pairs.append(nb::make_tuple(first, second));
    return pairs;
  }
  [[nodiscard]] double next_step() const { return simulation_->next_step(); }

  void checkpoint(const std::string& path) {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    const GravityOptions& used = simulation_->system().options();
    run::SoFar so_far;
    so_far.collisions = simulation_->collisions();
    so_far.ring_time = start_time_;
    const run::SavedRun saved{.configuration = asked_,
                              .start_time = start_time_,
                              .leaf_size = used.leaf_size,
                              .group_size = used.group_size,
                              .costs = simulation_->costs(),
                              .so_far = so_far};
    if (!initial_energy_) initial_energy_ = simulation_->energies().total();
    write_checkpoint(path, {.snapshot = simulation_->checkpoint(),
                            .step = steps(),
                            .initial_energy = *initial_energy_,
                            .configuration = to_text(saved),
                            .dt = config_.simulation.dt});
  }

  /// Where gas cannot have the H that is wanted: once.
  std::string watch_gas() {
    const nb::gil_scoped_release free;
    const std::scoped_lock work(at_work_);
    const GasOptions& gas = options_.gas;
    const std::string note =
        gas.flows() ? run::bound_note(simulation_->gas(), gas.max_smoothing_length, simulation_->time()) : "";
    if (note.empty() || std::exchange(bounds_told_, true)) return "";
    notes_.push_back("WARNING: " + note);
    return notes_.back();
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
    if (options_.gas.viscosity != Viscosity::cullen_dehnen || !options_.gas.flows()) return;
    Particles had;
    try {
      had = simulation_->checkpoint().particles;
    } catch (const Error&) {  // numbers were lost: it begins anew
      return;
    }
    keep_viscosity(p, std::move(had), others, options_.gas.starting_alpha());
  }

  /// Of particles that come into a simulation, whose notes hold them from then on.
  std::vector<std::string> more_notes(const Snapshot& particles) {
    std::vector<std::string> more;
    tell(run::other_box_note(particles.boundary, options_.boundary, "the particles were"), more);
    for (const std::string& note : run::gas_start_notes(particles, options_)) tell(note, more);
    return more;
  }
  /// Once.
  void tell(const std::string& note, std::vector<std::string>& said) {
    if (note.empty() || std::find(notes_.begin(), notes_.end(), note) != notes_.end()) return;
    notes_.push_back(note);
    said.push_back(note);
  }

  [[nodiscard]] std::uint64_t changes() const { return 1 + steps() + (replaced_ << 40); }
  [[nodiscard]] view::Shot copy() const {
    memory::demand(simulation_->size(), view::copy_need(acting_in(options_)));
    return {simulation_->snapshot(), steps(), simulation_->energies(), simulation_->system().seconds(), changes()};
  }
  /// For the view's threads, without more of them: the system may have none left.
  std::optional<view::Shot> copy_at_rest(std::uint64_t known) {
    const std::unique_lock alone(at_work_, std::try_to_lock);
    if (!alone.owns_lock() || changes() == known) return {};
    const NoTeam few;
    return copy();
  }
  /// Between steps.
  void show(bool another_follows, Interrupt& interrupt) {
    if (!view_) return;
    view_->source().between_steps(
        another_follows, changes(), [this] { return copy(); }, [&] { return interrupt.asked(); });
  }

  void begin(run::RunStart start) {
    options_ = run::options_for(config_.simulation, start);
    softening_ = run::softening_line(config_.simulation.gravity, start.snapshot.particles, start.eps_source);
    if (!start.initial_energy) notes_ = run::notes_for(start.snapshot, config_.simulation);
    first_step_ = start.step;
    start_time_ = start.time;
    units_ = start.snapshot.units;
    has_units_ = start.snapshot.has_units;
    initial_energy_ = start.initial_energy;
    start.snapshot.notes.clear();  // of the start, not of what comes of it
    simulation_.emplace(std::move(start.snapshot), options_);
    const std::string& passed_over = simulation_->system().device_note();
    if (!passed_over.empty()) notes_.push_back("WARNING: " + passed_over);
  }

  run::RunConfig config_;
  run::Json asked_;  ///< the configuration as understood
  SimulationOptions options_;
  std::string softening_;
  std::vector<std::string> notes_;
  bool bounds_told_ = false;
  Units units_;
  bool has_units_ = false;
  std::uint64_t first_step_ = 0;
  double start_time_ = 0;
  std::optional<double> initial_energy_;  ///< where it has been asked for
  run::EnergyAlarm alarm_;
  std::optional<Simulation> simulation_;
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
      .def("run", &S::run)
      .def("watch_start", &S::watch_start)
      .def("watch_energy", &S::watch_energy)
      .def("watch_gas", &S::watch_gas)
      .def("step", &S::step)
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
      .def_prop_ro("halted", &S::halted);
  m.def("units_of", &units_of, nb::arg("text"), nb::arg("given").none());
  m.def("nth_time", &run::nth_time);
}

}  // namespace hornbeam::python
