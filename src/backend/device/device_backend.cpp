// SPDX-License-Identifier: Apache-2.0
// A device as a backend that takes the precision load() asks for.
#include "backend/device/pipeline.h"
#include "backend/precision_backend.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

class DeviceBackend final : public PrecisionBackend {
 public:
  explicit DeviceBackend(std::unique_ptr<Device> device) : device_(std::move(device)) { use(Precision::single); }
  ~DeviceBackend() override { forget(); }  // its buffers go before the device
  DeviceBackend(const DeviceBackend&) = delete;
  DeviceBackend& operator=(const DeviceBackend&) = delete;

  void admit(std::uint64_t n, const GravityOptions& options, const Holding& holding) override {
    require(options.precision);
    PrecisionBackend::admit(n, options, holding);
  }
  using PrecisionBackend::load;
  void load(const Particles& particles, const GravityOptions& options, const Holding& steps) override {
    require(options.precision);
    PrecisionBackend::load(particles, options, steps);
  }

 private:
  void require(Precision precision) const {
    if (device_->has(precision)) return;
    throw UsageError("precision = " + std::string(hornbeam::name(precision)),
                     "needs fp64, which " + device_->description() + " lacks", "use precision single");
  }
  [[nodiscard]] std::unique_ptr<Backend> make(Precision precision) const override {
    if (precision == Precision::single) return single::make_device_pipeline(*device_);
    if (precision == Precision::fp64) return fp64::make_device_pipeline(*device_);
    return mixed::make_device_pipeline(*device_);
  }

  std::unique_ptr<Device> device_;
};

}  // namespace

std::unique_ptr<Backend> make_device_backend(std::unique_ptr<Device> device) {
  return std::make_unique<DeviceBackend>(std::move(device));
}

}  // namespace hornbeam
