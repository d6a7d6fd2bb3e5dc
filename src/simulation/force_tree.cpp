// SPDX-License-Identifier: Apache-2.0
// A tree that stays, of arrays of the host, see hornbeam/force_tree.h: they are columns of the tree of any arrays.
#include "hornbeam/force_tree.h"

#include "simulation/columns.h"
#include "simulation/lent_force_tree.h"

namespace hornbeam {

ForceTree::ForceTree(const Particles& particles, const Boundary& boundary, const std::string& backend,
                     const Devices& devices, int threads)
    : tree_(std::make_unique<LentForceTree>(backend, devices, threads)) {
  boundary.validate();
  validate_sources(particles);
  tree_->load(columns_of(particles), boundary);
}
ForceTree::~ForceTree() = default;
ForceTree::ForceTree(ForceTree&&) noexcept = default;
ForceTree& ForceTree::operator=(ForceTree&&) noexcept = default;

ForceField ForceTree::evaluate(const GravityOptions& options, bool tides) {
  ForceField found = forces_of(size(), tides);
  tree_->evaluate(options, columns_of(found));
  return found;
}

ForceField ForceTree::evaluate_at(const std::vector<Vec3>& places, const std::vector<double>& eps,
                                  const GravityOptions& options, bool tides) {
  ForceField found = forces_of(places.size(), tides);
  const auto lengths = eps.empty() ? std::nullopt : std::optional(column_of(eps));
  tree_->evaluate_at(column_of(places), lengths, options, columns_of(found));
  return found;
}

TreeNodes ForceTree::nodes(const GravityOptions& options) { return tree_->nodes(options); }
std::vector<std::uint64_t> ForceTree::keys(const GravityOptions& options) { return tree_->keys(options); }

void ForceTree::refit(const std::vector<Vec3>& position) { tree_->refit(column_of(position)); }

std::size_t ForceTree::size() const { return tree_->size(); }
std::string ForceTree::backend() const { return tree_->backend(); }
StageSeconds ForceTree::seconds() const { return tree_->seconds(); }

}  // namespace hornbeam
