// SPDX-License-Identifier: Apache-2.0
// A backend whose pipelines are compiled once a precision: it passes everything on to the one that load() asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"

namespace hornbeam {

class PrecisionBackend : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return pipeline_->name(); }
  [[nodiscard]] std::string device() const override { return pipeline_->device(); }
  [[nodiscard]] int threads() const override { return pipeline_->threads(); }
  void admit(std::uint64_t n, const GravityOptions& options, const Holding& holding) override {
    use(options.precision);
    pipeline_->admit(n, options, holding);
  }
  [[nodiscard]] memory::Need host_need(const GravityOptions& options, const Holding& holding) const override {
    return (precision_ == options.precision ? *pipeline_ : *make(options.precision)).host_need(options, holding);
  }
  using Backend::load;
  void load(const Particles& particles, const GravityOptions& options, const Holding& steps) override {
    use(options.precision);
    pipeline_->load(particles, options, steps);
  }
  void build_tree() override { pipeline_->build_tree(); }
  void walk() override { pipeline_->walk(); }
  void kick(double dt) override { pipeline_->kick(dt); }
  void drift(double dt) override { pipeline_->drift(dt); }
  Energies energies() override { return pipeline_->energies(); }
  std::uint64_t not_finite() override { return pipeline_->not_finite(); }
  void store(Particles& particles) override { pipeline_->store(particles); }
  void save(Particles& particles) override { pipeline_->save(particles); }
  void restore(const Particles& particles) override { pipeline_->restore(particles); }
  std::vector<Motion> motions(const std::vector<std::size_t>& which) override { return pipeline_->motions(which); }
  ForceSample sample(const std::vector<std::size_t>& which) override { return pipeline_->sample(which); }
  RungCensus choose_rungs(const StepRule& rule, int least) override { return pipeline_->choose_rungs(rule, least); }
  void kick_rungs(const StepRule& rule, int least) override { pipeline_->kick_rungs(rule, least); }
  void refit() override { pipeline_->refit(); }
  void walk_rungs(int least) override { pipeline_->walk_rungs(least); }
  double largest_pull_over_eps() override { return pipeline_->largest_pull_over_eps(); }
  void remember() override { pipeline_->remember(); }
  void go_back() override { pipeline_->go_back(); }
  void set_external(const std::vector<ExternalPotential>& fields, double time) override {
    fields_ = fields;
    time_ = time;
    pipeline_->set_external(fields, time);
  }
  [[nodiscard]] const GravityOptions& options() const override { return pipeline_->options(); }
  [[nodiscard]] const StageSeconds& seconds() const override { return pipeline_->seconds(); }
  [[nodiscard]] Interactions interactions() const override { return pipeline_->interactions(); }
  [[nodiscard]] Bytes bytes() const override { return pipeline_->bytes(); }

 protected:
  /// Takes the pipeline of this precision, kept as long as that stays: memory already given is faster than new.
  void use(Precision precision) {
    if (precision_ == precision) return;
    forget();
    pipeline_ = make(precision);
    pipeline_->set_external(fields_, time_);
    precision_ = precision;
  }

  /// Gives the pipeline's memory back.
  void forget() {
    precision_.reset();
    pipeline_.reset();
  }

 private:
  [[nodiscard]] virtual std::unique_ptr<Backend> make(Precision precision) const = 0;

  std::unique_ptr<Backend> pipeline_;
  std::optional<Precision> precision_;
  std::vector<ExternalPotential> fields_;  ///< for a pipeline that load() makes after set_external()
  double time_ = 0;
};

}  // namespace hornbeam
