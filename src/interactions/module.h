// SPDX-License-Identifier: Apache-2.0
// What acts between the particles of a domain, or on them: gravity, external potentials, and what is to come.
#pragma once

#include <string_view>

#include "hornbeam/particles.h"
#include "tree/domain.h"

namespace hornbeam {

/// One interaction on one domain, whose fields it reads and whose accelerations and potentials it adds to. The first of
/// a domain's modules sets them.
class Module : public FrameUser {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// The domain holds other particles from now on.
  virtual void load(const Particles& /*particles*/) {}
  virtual void load_lent(const LentParticles& /*particles*/) {}
  /// The tree has been made of the present positions.
  virtual void prepare() {}
  /// Particles have moved, their order and cells stay those of the last build.
  virtual void refit() {}
  /// Accelerations and potentials of the domain's targets.
  virtual void evaluate() = 0;
  /// All modules have evaluated; true where they are to do so once more, with what this one has learnt.
  virtual bool finish() { return false; }
  /// The domain's accelerations were restored instead of evaluated.
  virtual void restore() {}

  [[nodiscard]] virtual Bytes bytes() const { return {}; }
};

}  // namespace hornbeam
