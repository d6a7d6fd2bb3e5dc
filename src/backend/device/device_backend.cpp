// SPDX-License-Identifier: Apache-2.0
// A device as a backend that takes the precision load() asks for.
#include "backend/device/pipeline.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

class DeviceBackend final : public Backend {
 public:
  explicit DeviceBackend(std::unique_ptr<Device> device) : device_(std::move(device)) { make(Precision::single); }

  [[nodiscard]] std::string name() const override { return pipeline_->name(); }
  [[nodiscard]] std::string device() const override { return pipeline_->device(); }
  [[nodiscard]] int threads() const override { return pipeline_->threads(); }
  void load(const Particles& particles, const GravityOptions& options) override {
    if (!device_->has(options.precision)) {
      throw UsageError("precision = " + std::string(hornbeam::name(options.precision)),
                       "needs fp64, which " + device_->description() + " lacks", "use precision single");
    }
    if (options.precision != precision_) make(options.precision);
    pipeline_->load(particles, options);
  }
  void build_tree() override { pipeline_->build_tree(); }
  void walk() override { pipeline_->walk(); }
  void kick(double dt) override { pipeline_->kick(dt); }
  void drift(double dt) override { pipeline_->drift(dt); }
  Energies energies() override { return pipeline_->energies(); }
  void store(Particles& particles) override { pipeline_->store(particles); }
  void restore(const Particles& particles) override { pipeline_->restore(particles); }
  [[nodiscard]] const GravityOptions& options() const override { return pipeline_->options(); }
  [[nodiscard]] const StageSeconds& seconds() const override { return pipeline_->seconds(); }
  [[nodiscard]] Interactions interactions() const override { return pipeline_->interactions(); }
  [[nodiscard]] Bytes bytes() const override { return pipeline_->bytes(); }

 private:
  void make(Precision precision) {
    pipeline_.reset();  // gives its memory back first
    precision_ = precision;
    switch (precision) {
      case Precision::mixed:
        pipeline_ = mixed::make_device_pipeline(*device_);
        break;
      case Precision::single:
        pipeline_ = single::make_device_pipeline(*device_);
        break;
      case Precision::fp64:
        pipeline_ = fp64::make_device_pipeline(*device_);
        break;
    }
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Backend> pipeline_;
  Precision precision_ = Precision::single;
};

}  // namespace

std::unique_ptr<Backend> make_device_backend(std::unique_ptr<Device> device) {
  return std::make_unique<DeviceBackend>(std::move(device));
}

}  // namespace hornbeam
