// SPDX-License-Identifier: Apache-2.0
// What trees that stay have in common, whether their particles are the host's or a caller's on a device: which options
// they serve.
#pragma once

#include "hornbeam/gravity.h"

namespace hornbeam {

/// Whether the tree of one serves the other.
bool share_a_tree(const GravityOptions& a, const GravityOptions& b);
/// Whether what it was asked last answers the other, too.
bool same_accuracy(const GravityOptions& a, const GravityOptions& b);
/// Whether numbers in single precision, in units chosen for one size, serve another one.
bool are_alike(double size, double other);

}  // namespace hornbeam
