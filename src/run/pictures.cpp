// SPDX-License-Identifier: Apache-2.0
// The run behind a picture, see pictures.h.
#include "run/pictures.h"

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "run/record.h"

namespace hornbeam::run {

Snapshot read_with_box(const std::filesystem::path& file) {
  Snapshot snapshot = read_snapshot(file);
  settle_boundary(snapshot, file);
  return snapshot;
}

void settle_gas(render::Options& options, const std::string& record, const std::string& subject) {
  const Recorded told = recorded(record, subject);
  options.gas.gamma = told.gamma;
  options.gas.kernel = told.kernel_of_gas;
  const bool of_ideal = options.field && (options.field->quantity == render::GasQuantity::pressure ||
                                          options.field->quantity == render::GasQuantity::temperature);
  if (of_ideal && !told.gas_is_ideal) {
    throw UsageError("field",
                     "pressure and temperature are drawn of ideal gas, which the run of " + subject + " did not have",
                     "draw density or internal-energy");
  }
}

}  // namespace hornbeam::run
