// SPDX-License-Identifier: Apache-2.0
// Tidal tensors (physics/tides.h) as what the group walk sums of its lists, four components at a time.
#pragma once

#include "interactions/gravity/host/sources.h"
#include "physics/tides.h"

HB_ISA_OPEN

/// Four components from number `first` on, of which the sixth is the last that there is.
template <i32 first>
struct TideFormula {
  template <class R>
  static Field<R> of_point(i32 softening, R dx, R dy, R dz, R mass, R soft2, Field<R> sum) {
    R tide[HB_TIDES + 2];
    return four_of(tide, sum, [&] { tide_of_point(softening, dx, dy, dz, mass, soft2, &tide[0]); });
  }
  template <class R>
  static Field<R> of_cell(R dx, R dy, R dz, R mass, const R* M, R soft2, Field<R> sum) {
    R tide[HB_TIDES + 2];
    return four_of(tide, sum, [&] { tide_quadrupole(dx, dy, dz, mass, M, soft2, &tide[0]); });
  }

  static void remove_own(const Field<real>& share, sum_t* acc) {
    acc[0] -= (sum_t)share.x;
    acc[1] -= (sum_t)share.y;
    acc[2] -= (sum_t)share.z;
    acc[3] -= (sum_t)share.w;
  }

 private:
  /// The sum with what add() adds to `tide`; the compiler leaves out the other components.
  template <class R, class Add>
  static Field<R> four_of(R* tide, Field<R> sum, const Add& add) {
    for (i32 k = 0; k < HB_TIDES + 2; ++k) tide[k] = R(0);
    tide[first] = sum.x;
    tide[first + 1] = sum.y;
    tide[first + 2] = sum.z;
    tide[first + 3] = sum.w;
    add();
    return {tide[first], tide[first + 1], tide[first + 2], tide[first + 3]};
  }
};

HB_ISA_CLOSE
