// SPDX-License-Identifier: Apache-2.0
// What softening demands of siblings in the walk from cell to cell (stages/sink_softening.h).
#pragma once

#include "interactions/gravity/host/hierarchy/sink_tree.h"
#include "stages/sink_softening.h"

HB_ISA_OPEN

/// Siblings that a sink may expand, and those of them whose field is harmonic there.
struct SoftenedSiblings {
  unsigned expandable, harmonic;
};

/// The softening of a sink's targets.
class SoftenedSink {
 public:
  SoftenedSink(const WalkOptions& options, const Sink& sink)
      : differs_(options.reaches),
        sink_(sink_softening(options.softening, sink.soft2, sink.least_soft2, sink.most_soft2)) {}

  /// Of siblings from cell `first` on; rho: of their particles, inv: 1 / distance; weight: m / d^2 relative to the
  /// error that an expansion may have; radius: of the sink.
  [[nodiscard]] SoftenedSiblings of_siblings(const CellsView& cells, i32 first, SiblingPack rho, SiblingPack inv,
                                             SiblingPack weight, real radius) const {
    const SiblingPack mean = SiblingPack::load(cells.cell_soft2 + first);
    if (!differs_) return {~0u, bits(softening_is_hidden(weight, mean + SiblingPack(sink_.soft2), inv))};
    const auto cell =
        softened_cell(&sink_, mean, SiblingPack::load(cells.reach + first), rho, inv, weight, SiblingPack(radius));
    return {bits(cell.expandable), bits(cell.harmonic)};
  }

  /// is_plain_for_sink() of them.
  [[nodiscard]] SiblingPack::Mask is_plain(const CellsView& cells, i32 first, SiblingPack rho, SiblingPack inv,
                                           SiblingPack weight) const {
    if (!differs_) return inv < SiblingPack((real)HB_NEVER);
    return is_plain_for_sink(&sink_, SiblingPack::load(cells.cell_soft2 + first),
                             SiblingPack::load(cells.reach + first), rho, inv, weight);
  }

 private:
  i32 differs_;
  SinkSoftening sink_;
};

HB_ISA_CLOSE
