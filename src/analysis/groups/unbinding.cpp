// SPDX-License-Identifier: Apache-2.0
// What of a group is bound: potentials by its own members, by direct sums for small groups, side by side on all
// threads, and by the tree for large ones; energies in the frame of those left.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/groups/group_members.h"
#include "analysis/vectors.h"
#include "device/host/threads.h"
#include "hornbeam/error.h"
#include "physics/softening.h"

namespace hornbeam::analysis {
namespace {

/// Groups of up to as many are summed directly.
constexpr std::size_t largest_direct = 4096;
/// Pairs for which what left is subtracted from the potentials of the rest, rather than all made again by the tree.
constexpr std::size_t most_subtracted = std::size_t{1} << 26;

/// Rounds in which members that were taken out are looked at again. Each round settles most of those that are left; a
/// member whose energy is next to 0 may come and go for ever.
constexpr int most_rounds = 50;

/// Members of a group, of which some are in it, with the energies of all in the frame and the field of those.
class GroupEnergies {
 public:
  GroupEnergies(const Particles& particles, const GroupOptions& options, Members members)
      : GroupEnergies(particles, options, members, std::vector<char>(members.size(), 1)) {}
  /// is_in: one for each member that is in the group at first.
  GroupEnergies(const Particles& particles, const GroupOptions& options, Members members, std::vector<char> is_in)
      : particles_(particles),
        options_(options),
        members_(std::move(members)),
        is_in_(std::move(is_in)),
        count_(static_cast<std::size_t>(std::count(is_in_.begin(), is_in_.end(), 1))) {
    way_ = unwrapped(particles, members_, box_of(options)).way;
    find_potentials();
  }

  /// Until all that are in it are bound and all others are not, or too few are left.
  void run(std::size_t least) {
    remove_all_unbound(least);
    for (int round = 0; round < most_rounds && count_ >= least && take_back(); ++round) remove_all_unbound(least);
  }
  [[nodiscard]] Members bound_members() const;
  [[nodiscard]] Bound bound() const;

 private:
  [[nodiscard]] double soft2(std::uint32_t i) const {
    const double eps = options_.eps >= 0 ? options_.eps : (particles_.eps.empty() ? 0 : particles_.eps[i]);
    return eps * eps / 2;
  }
  /// Potential at member a of unit mass at member b.
  [[nodiscard]] double potential_between(std::size_t a, std::size_t b) const {
    const Vec3 d = minus(way_[b], way_[a]);
    const i32 kernel = options_.softening == Softening::spline ? HB_SPLINE : HB_PLUMMER;
    return mixed::pull<double>(kernel, d[0], d[1], d[2], options_.G, soft2(members_[a]) + soft2(members_[b]), {}).w;
  }
  void find_potentials();
  void sum_directly();
  void sum_by_tree();
  [[nodiscard]] std::vector<double> kinetic_energies() const;
  [[nodiscard]] std::vector<double> energies() const;
  void remove_all_unbound(std::size_t least) {
    while (count_ >= least && remove_unbound()) {
    }
  }
  bool remove_unbound();
  bool take_back();
  void change(const std::vector<std::size_t>& which);

  using i32 = mixed::i32;
  const Particles& particles_;
  const GroupOptions& options_;
  Members members_;
  std::vector<char> is_in_;  ///< one each
  std::size_t count_;
  std::vector<Vec3> way_;
  std::vector<double> potential_;  ///< per unit mass, by those that are in it
};

void GroupEnergies::find_potentials() {
  potential_.assign(members_.size(), 0);
  if (members_.size() <= largest_direct) {
    sum_directly();
  } else {
    sum_by_tree();
  }
}

void GroupEnergies::sum_directly() {
  for (std::size_t a = 0; a < members_.size(); ++a) {
    const double mass = is_in_[a] != 0 ? particles_.mass[members_[a]] : 0;
    for (std::size_t b = a + 1; b < members_.size(); ++b) {
      const double between = potential_between(a, b);
      if (is_in_[b] != 0) potential_[a] += particles_.mass[members_[b]] * between;
      potential_[b] += mass * between;
    }
  }
}

/// Those that are not in it have no mass.
void GroupEnergies::sum_by_tree() {
  Particles own;
  own.resize(members_.size());
  own.position = way_;
  std::iota(own.id.begin(), own.id.end(), std::uint64_t{0});
  if (!particles_.eps.empty()) own.eps.resize(members_.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    own.mass[k] = is_in_[k] != 0 ? particles_.mass[members_[k]] : 0;
    if (!own.eps.empty()) own.eps[k] = particles_.eps[members_[k]];
  }
  GravityOptions gravity;
  gravity.eps = options_.eps;
  gravity.softening = options_.softening;
  gravity.G = options_.G;
  accelerations(own, gravity, options_.threads);
  potential_ = own.potential;
}

/// Of all members, per unit mass, in the frame of those that are in the group.
std::vector<double> GroupEnergies::kinetic_energies() const {
  Vec3 velocity{};
  double all = 0;
  for (std::size_t k = 0; k < members_.size(); ++k) all += is_in_[k] != 0 ? particles_.mass[members_[k]] : 0;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (is_in_[k] == 0) continue;
    const std::uint32_t i = members_[k];
    const double weight = all > 0 ? particles_.mass[i] / all : 1 / static_cast<double>(count_);
    for (int axis = 0; axis < 3; ++axis) velocity[axis] += weight * particles_.velocity[i][axis];
  }
  std::vector<double> kinetic(members_.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Vec3 v = minus(particles_.velocity[members_[k]], velocity);
    kinetic[k] = dot(v, v) / 2;
  }
  return kinetic;
}

/// The same with potentials and, of gas, the internal energy.
std::vector<double> GroupEnergies::energies() const {
  std::vector<double> energy = kinetic_energies();
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const std::uint32_t i = members_[k];
    energy[k] += potential_[k];
    const bool has_heat = !particles_.internal_energy.empty() && particles_.family[i] == Family::gas;
    if (has_heat) energy[k] += particles_.internal_energy[i];
  }
  return energy;
}

/// Whether some went.
bool GroupEnergies::remove_unbound() {
  const std::vector<double> energy = energies();
  std::vector<std::size_t> unbound;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    if (is_in_[k] != 0 && energy[k] > 0) unbound.push_back(k);
  }
  if (unbound.empty()) return false;
  const std::size_t most = std::max<std::size_t>(1, count_ / 4);
  if (unbound.size() > most) {
    std::stable_sort(unbound.begin(), unbound.end(),
                     [&](std::size_t a, std::size_t b) { return energy[a] > energy[b]; });
    unbound.resize(most);
  }
  change(unbound);
  return true;
}

/// Those that went while the frame was another one and that are bound in the present one. Returns whether there are
/// any.
bool GroupEnergies::take_back() {
  const std::vector<double> energy = energies();
  std::vector<std::size_t> back;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    if (is_in_[k] == 0 && energy[k] < 0) back.push_back(k);
  }
  change(back);
  return !back.empty();
}

/// Takes those out that are in it, and the others in.
void GroupEnergies::change(const std::vector<std::size_t>& which) {
  for (const std::size_t k : which) {
    is_in_[k] = is_in_[k] != 0 ? 0 : 1;
    count_ += is_in_[k] != 0 ? 1 : -1;
  }
  if (members_.size() > largest_direct && which.size() * members_.size() > most_subtracted) return find_potentials();
  for (const std::size_t a : which) {
    const double mass = is_in_[a] != 0 ? particles_.mass[members_[a]] : -particles_.mass[members_[a]];
#pragma omp parallel for schedule(static) if (members_.size() > largest_direct)
    for (std::size_t b = 0; b < members_.size(); ++b) {
      if (a != b) potential_[b] += mass * potential_between(b, a);
    }
  }
}

Members GroupEnergies::bound_members() const {
  Members found;
  found.reserve(count_);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (is_in_[k] != 0) found.push_back(members_[k]);
  }
  return found;
}

Bound GroupEnergies::bound() const {
  Bound found;
  const std::vector<double> kinetic = kinetic_energies(), energy = energies();
  double least = INFINITY;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (is_in_[k] == 0) continue;
    const double mass = particles_.mass[members_[k]];
    found.kinetic += mass * kinetic[k];
    found.potential += mass * potential_[k] / 2;
    if (energy[k] >= least) continue;
    least = energy[k];
    found.most_bound = static_cast<std::int64_t>(members_[k]);
  }
  return found;
}

}  // namespace

Members unbind_from(const Particles& particles, const GroupOptions& options, const Members& members,
                    const Members& start) {
  std::vector<char> is_in(members.size(), 0);
  for (std::size_t k = 0; k < members.size(); ++k) {
    is_in[k] = std::binary_search(start.begin(), start.end(), members[k]) ? 1 : 0;
  }
  GroupEnergies energies(particles, options, members, std::move(is_in));
  energies.run(1);
  return energies.bound_members();
}

std::vector<Bound> unbind(const Particles& particles, const GroupOptions& options, std::vector<Members>& groups,
                          std::uint64_t& removed) {
  const auto least = static_cast<std::size_t>(options.min_members);
  std::vector<Bound> bound(groups.size());
  std::vector<std::size_t> before(groups.size());
  const auto unbind_one = [&](std::size_t g) {
    before[g] = groups[g].size();
    GroupEnergies energies(particles, options, std::move(groups[g]));
    energies.run(least);
    groups[g] = energies.bound_members();
    if (groups[g].size() >= least) bound[g] = energies.bound();
  };
  LoopFailure failure;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].size() > largest_direct) continue;
    failure.run([&] { unbind_one(g); });
  }
  failure.rethrow();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (before[g] == 0) unbind_one(g);
  }
  std::size_t kept = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool stays = groups[g].size() >= least;
    removed += before[g] - (stays ? groups[g].size() : 0);
    if (!stays) continue;
    bound[kept] = bound[g];
    if (kept != g) groups[kept] = std::move(groups[g]);
    ++kept;
  }
  groups.resize(kept);
  bound.resize(kept);
  return bound;
}

}  // namespace hornbeam::analysis
