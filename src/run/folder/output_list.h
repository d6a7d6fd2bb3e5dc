// SPDX-License-Identifier: Apache-2.0
// What a run writes at one time. A checkpoint states that all other files and rows of its time are there, so that a
// resumed run does not write them again: it is the last of the list, by construction.
#pragma once

#include <functional>
#include <vector>

namespace hornbeam::run {

class OutputList {
 public:
  struct Output {
    std::function<bool(double now)> is_due;  ///< called once for each time; may count
    std::function<void()> write;             ///< gives the file or the rows to the writer
  };

  /// Appends an output. Throws std::logic_error once the list ends with its checkpoint.
  void add(Output output);
  /// Ends the list. Throws std::logic_error for a second checkpoint.
  void end_with_checkpoint(Output checkpoint);
  /// Writes what is due at that time, in the order of the list. Throws std::logic_error for a list without a checkpoint
  /// at its end.
  void write_due(double now) const;

 private:
  std::vector<Output> outputs_;
  bool is_complete_ = false;  ///< the last one is the checkpoint
};

}  // namespace hornbeam::run
