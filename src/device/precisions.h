// SPDX-License-Identifier: Apache-2.0
// Functions that are compiled once a precision, for callers that are not.
#pragma once

#include "hornbeam/gravity.h"

/// Declares something in the namespace of each precision.
#define HB_EACH_PRECISION(declaration) \
  namespace mixed {                    \
  declaration;                         \
  }                                    \
  namespace single {                   \
  declaration;                         \
  }                                    \
  namespace fp64 {                     \
  declaration;                         \
  }

/// function(...) of the namespace of `precision`.
#define HB_CALL_IN(precision, function, ...)                                  \
  ((precision) == hornbeam::Precision::single ? single::function(__VA_ARGS__) \
   : (precision) == hornbeam::Precision::fp64 ? fp64::function(__VA_ARGS__)   \
                                              : mixed::function(__VA_ARGS__))
