// SPDX-License-Identifier: Apache-2.0
// The order of a run's outputs, see output_list.h.
#include "run/folder/output_list.h"

#include <stdexcept>
#include <utility>

namespace hornbeam::run {

void OutputList::add(Output output) {
  if (is_complete_) throw std::logic_error("an output after the checkpoint would be lost by a kill between the two");
  outputs_.push_back(std::move(output));
}

void OutputList::end_with_checkpoint(Output checkpoint) {
  add(std::move(checkpoint));
  is_complete_ = true;
}

void OutputList::write_due(double now) const {
  if (!is_complete_) throw std::logic_error("a list of outputs ends with the checkpoint");
  for (const Output& output : outputs_) {
    if (output.is_due(now)) output.write();
  }
}

}  // namespace hornbeam::run
