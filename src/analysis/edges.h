// SPDX-License-Identifier: Apache-2.0
// Where the bins of profiles begin and end: as requested, or where the particles are.
#pragma once

#include <vector>

#include "analysis/radial_order.h"

namespace hornbeam::analysis {

/// `edges` where some are given, else those of `bins` logarithmic shells (hornbeam::analysis::profile).
/// Throws UsageError for edges that do not ascend from above 0 and for fewer than one bin, Error for particles that
/// span no range of radii.
std::vector<double> shell_edges(const RadialOrder& order, int bins, const std::vector<double>& edges);

/// `edges` where some are given, else those of `bins` equally wide rings from 0 to `outermost`. Throws as shell_edges,
/// but the first edge may be 0.
std::vector<double> ring_edges(double outermost, int bins, const std::vector<double>& edges);

/// The bin that holds x (lower edge included): its index, or -1.
int bin_of(const std::vector<double>& edges, double x);

}  // namespace hornbeam::analysis
