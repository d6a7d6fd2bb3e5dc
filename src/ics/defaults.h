// SPDX-License-Identifier: Apache-2.0
// The defaults of a model's options in physical units: between what the user gave and settings.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ics/model.h"

namespace hornbeam::ics {

/// A model whose defaults fit the units, and a note on each kind of them.
struct FittedModel {
  Model model;
  std::vector<std::string> notes;
};

/// Fits the defaults of `entry` to `units`. With G = 1 they stay. In physical units those of a model in
/// Entry::own_units are converted. Those of others are multiples of what was given: a default that has the dimension of
/// given options, or of powers of these, grows by the factor by which these differ from their own defaults. Options of
/// the same part, whose names begin alike, count first, then those of the same dimension, then the others as help lists
/// them.
FittedModel fitted(const Entry& entry, const std::map<std::string, std::string>& given, const Units& units);

}  // namespace hornbeam::ics
