// SPDX-License-Identifier: Apache-2.0
// Forces and heating of gas whose viscosity sees velocities reconstructed midway between two particles (docs/gas.md
// eq. 10b): the sums of gas_force.h with the rates of strain of both sides. In their place where it is requested.
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_FORCE_MIDWAY_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_FORCE_MIDWAY_H
#include "interactions/sph/gas_force.h"
HB_OPEN

#define HB_VISITOR gas_force_midway
#define HB_VISITOR_TYPE GasForceMidway
#define HB_SUMS_TYPE GasForceSums
#define HB_SOURCE_REACH
#define HB_SOURCES_gas_force_midway(F)
#define HB_STATES_gas_force_midway(Q) \
  HB_STATES_gas_force(Q) Q(strains, HB_STRAIN_ROW, 0, xx, yy, zz, yz) Q(strains, HB_STRAIN_ROW, 1, xz, xy, spare, idle)
#define HB_ARRAYS_gas_force_midway(F) HB_ARRAYS_gas_force(F) F(const real, strains)

typedef GasForceOptions GasForceMidwayOptions;

#define HB_SUMS_gas_force_midway(S) HB_SUMS_gas_force(S)

#include "walk/gather_types.inc"

#define HB_TAKE_FIELD(type, name) to.name = view->name;
#define HB_TAKE_STATE(rows, width, quarter, a, b, c, d) to.a = from.a, to.b = from.b, to.c = from.c, to.d = from.d;

/// What the other forces see of it.
HB_FN GasForceView gas_force_view(const GasForceMidwayView* view) {
  GasForceView to;
  to.pairs = view->pairs;
  to.options = view->options;
  HB_PAIR_FIELDS(HB_TAKE_FIELD)
  HB_ARRAYS_gas_force(HB_TAKE_FIELD) return to;
}
HB_FORMULA HB_OF(GasForceSource, real) gas_force_source_of(HB_OF(GasForceMidwaySource, real) from) {
  HB_OF(GasForceSource, real) to;
  to.mass = from.mass;
  HB_STATES_gas_force(HB_TAKE_STATE) return to;
}

HB_FN real gas_force_midway_reach(const GasForceMidwayView* view, i32 i) {
  const GasForceView plain = gas_force_view(view);
  return gas_force_reach(&plain, i);
}

/// How fast the flow of these rates of strain parts what is `way` from one another, times the distance.
HB_FORMULA real strained_way(HB_OF(GatherWay, real) way, real xx, real yy, real zz, real yz, real xz, real xy) {
  const real along = xx * way.x * way.x + yy * way.y * way.y + zz * way.z * way.z;
  return along + HB_C(2) * (yz * way.y * way.z + xz * way.x * way.z + xy * way.x * way.y);
}

HB_FORMULA HB_OF(GasForceSums, real)
    gas_force_midway_add(const GasForceMidwayOptions* options, real inverse, GasForceMidwaySelf self,
                         HB_OF(GasForceMidwaySource, real) source, HB_OF(GatherWay, real) way,
                         HB_OF(GasForceSums, real) sums) {
  const GasForceSelf plain = gas_force_source_of(self);
  const HB_OF(GasForceSource, real) other = gas_force_source_of(source);
  const real xx = self.xx, yy = self.yy, zz = self.zz, yz = self.yz, xz = self.xz, xy = self.xy;
  const HB_OF(GasPair, real) pair = gas_pair(plain, other, way);
  const real r = hb_root(way.distance2, pair.inverse_r);
  const real along_i = strained_way(way, xx, yy, zz, yz, xz, xy) * pair.inverse_r;
  const real along_j =
      strained_way(way, source.xx, source.yy, source.zz, source.yz, source.xz, source.xy) * pair.inverse_r;
  const real near = r * hb_min(source.inverse, inverse), spacing = HB_C(options->rule.spacing);
  const real felt = speed_midway(pair.speed, along_i, along_j, near, spacing);
  return gas_force_with(options, inverse, plain, other, way, pair, felt, sums);
}

HB_FN i32 gas_force_midway_finish(const GasForceMidwayView* view, i32 i, HB_OF(GasForceSums, real) sums) {
  const GasForceView plain = gas_force_view(view);
  return gas_force_finish(&plain, i, sums);
}

HB_CLOSE

#include "walk/gather_walks.inc"
#endif
