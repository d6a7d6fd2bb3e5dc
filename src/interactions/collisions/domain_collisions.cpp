// SPDX-License-Identifier: Apache-2.0
// From bodies that meet to what becomes of them, on a domain: one walk finds the pairs, which collide in turn
// (turns.h). Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "hornbeam/error.h"
#include "interactions/collisions/bodies.h"
#include "interactions/collisions/colliding.h"
#include "interactions/collisions/collision_module.h"
#include "interactions/collisions/kernels/launches.h"
#include "interactions/collisions/meeting_notes.h"
#include "interactions/collisions/turns.h"
#include "interactions/pair_sources.h"
#include "memory/need.h"
#include "tree/boundary.h"

HB_OPEN
namespace {

/// Bytes of a pair on the CPU: two bodies, the image of one, and its turn.
constexpr double pair_bytes = 2 * sizeof(u32) + sizeof(i32) + 2 * sizeof(u64);

class DomainCollisions final : public Module {
 public:
  DomainCollisions(ParticleDomain& domain, const CollisionOptions& options, CollisionTotals totals, Surroundings around,
                   const ContactGravity& gravity);
  void load(const Particles& particles) override;
  bool finish() override;
  void at(double time) override { around_.time = time; }
  Changes after_step(double length) override;
  [[nodiscard]] bool keeps_all() const override { return halts_ && !totals_.in_contact.empty(); }
  [[nodiscard]] std::vector<Event> events() const override { return events_; }
  void report(Reports& reports) const override;
  [[nodiscard]] Bytes bytes() const override;

 private:
  [[nodiscard]] BodyArrays bodies() const;
  void resolve(double length);
  void sweep(double length, double omega);
  void demand_one_box();
  [[nodiscard]] i32 find_all_pairs(const PairPoints& points, std::size_t images);
  [[nodiscard]] u64 find_pairs(const PairPoints& points, std::size_t images);
  void halt(const FoundPairs& pairs);
  [[nodiscard]] Event event_of_note(EventKind kind, const NotedMeeting& note) const;
  void reserve_pairs(std::size_t pairs);

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  Surroundings around_;
  bool sweeps_, halts_, records_;
  CollisionRule rule_{};
  DeviceArray<pos_t> speeds_, coefficients_, images_, cell_reach_, reach_, since_;
  DeviceArray<u32> found_, first_, second_, place_;
  DeviceArray<i32> in_image_;
  u32 room_ = 0;
  std::unique_ptr<CollisionTurns> turns_;
  CollisionTotals totals_;
  ContactGravity gravity_;
  double mass_ = 0;  ///< of all bodies
  MeetingNotes notes_;
  std::vector<Event> events_;  ///< of the last step
};

DomainCollisions::DomainCollisions(ParticleDomain& domain, const CollisionOptions& options, CollisionTotals totals,
                                   Surroundings around, const ContactGravity& gravity)
    : domain_(domain),
      device_(domain.device()),
      p_(domain.particles()),
      around_(std::move(around)),
      sweeps_(options.detection == Detection::swept),
      halts_(options.law == CollisionLaw::halt),
      records_(options.records()),
      speeds_(device_),
      coefficients_(device_),
      images_(device_),
      cell_reach_(device_),
      reach_(device_),
      since_(device_),
      found_(device_),
      first_(device_),
      second_(device_),
      place_(device_),
      in_image_(device_),
      turns_(make_collision_turns(device_)),
      totals_(std::move(totals)),
      gravity_(gravity),
      notes_(device_) {
  const RestitutionTable table = table_of(options);
  upload_all(device_, speeds_, std::vector<pos_t>(table.speeds.begin(), table.speeds.end()));
  upload_all(device_, coefficients_, std::vector<pos_t>(table.coefficients.begin(), table.coefficients.end()));
  rule_.points = static_cast<i32>(table.speeds.size());
  rule_.merges = options.law == CollisionLaw::merge ? 1 : 0;
  rule_.least = static_cast<pos_t>(options.minimum_velocity);
  rule_.lost_slip = static_cast<pos_t>(options.bounce() ? 1 - options.tangential_restitution : 0);
  rule_.friction = static_cast<pos_t>(options.friction.value_or(-1));
  rule_.noted = static_cast<pos_t>(options.bounce() ? options.record_above.value_or(-1) : -1);
  found_.reserve(sizeof(u32));
}

void DomainCollisions::load(const Particles& particles) {
  mass_ = std::accumulate(particles.mass.begin(), particles.mass.end(), 0.0);
}

/// Bodies that were left within one another have accelerations without bounds where nothing is softened. One that all
/// masses together would not give from outside of the body is no gravity of bodies.
bool DomainCollisions::finish() {
  if (!gravity_.unsoftened || p_.n == 0) return false;
  constexpr double beyond_doubt = 1000;  // as far as images of a box could add to it
  const Frame& frame = domain_.frame();
  const double strongest = beyond_doubt * mass_ * frame.mass / (frame.length * frame.length);
  device_.launch(kernels::release_centres{.radius = p_.radius,
                                          .n = p_.n,
                                          .strongest = static_cast<pos_t>(gravity_.only_gravity ? strongest : HUGE_VAL),
                                          .acc = p_.acc},
                 plain_variant, p_.n);
  return false;
}

void DomainCollisions::reserve_pairs(std::size_t pairs) {
  if (device_.shares_host_memory()) {
    memory::demand_now(domain_.size(),
                       {{"their " + std::to_string(pairs) + " pairs", 0, pair_bytes * static_cast<double>(pairs)}},
                       static_cast<double>(first_.bytes() + second_.bytes() + in_image_.bytes()));
  }
  first_.reserve(pairs * sizeof(u32));
  second_.reserve(pairs * sizeof(u32));
  in_image_.reserve(pairs * sizeof(i32));
  room_ = static_cast<u32>(first_.bytes() / sizeof(u32));
}

BodyArrays DomainCollisions::bodies() const {
  BodyArrays bodies = {.x = p_.x[0],
                       .y = p_.x[1],
                       .z = p_.x[2],
                       .vx = p_.v[0],
                       .vy = p_.v[1],
                       .vz = p_.v[2],
                       .spin_x = p_.spin[0],
                       .spin_y = p_.spin[1],
                       .spin_z = p_.spin[2],
                       .mass = p_.body_mass,
                       .radius = p_.radius,
                       .pull = p_.mass,
                       .gone = p_.gone,
                       .since = sweeps_ ? &since_ : nullptr,
                       .input = nullptr,
                       .noted = nullptr,
                       .noted_pairs = nullptr,
                       .noted_values = nullptr};
  if (records_) notes_.hand(bodies, p_.input);
  return bodies;
}

/// How far each may have come within the step, relative to neighbours that move with the shear as it does.
void DomainCollisions::sweep(double length, double omega) {
  rule_.time = static_cast<pos_t>(length);
  reach_.reserve(domain_.size() * sizeof(pos_t));
  since_.reserve(domain_.size() * sizeof(pos_t));
  constexpr double rounding = 1e-9;
  const double shear = 1.5 * omega;
  device_.launch(kernels::sweep_bodies{.x = p_.x[0],
                                       .velocity = p_.v,
                                       .radius = p_.radius,
                                       .n = p_.n,
                                       .time = rule_.time,
                                       .shear = static_cast<pos_t>(shear),
                                       .widened = static_cast<pos_t>((1 + rounding) / (1 - shear * length)),
                                       .reach = reach_,
                                       .since = since_},
                 plain_variant, p_.n);
}

/// Images beyond the neighbouring boxes are not looked through.
void DomainCollisions::demand_one_box() {
  if (around_.boundary.kind == BoundaryKind::open) return;
  pos_t largest = 0;
  device_.download(&largest, cell_reach_, 0, sizeof largest);  // that of the root
  for (const double period : around_.boundary.size) {
    if (period == 0 || 2 * static_cast<double>(largest) <= period) continue;
    if (sweeps_)
      throw Error("collisions", "a body moves more than half the box within a step", "take a shorter time.dt");
    throw Error("collisions", "a body has grown larger than the box", "end the run earlier, or take a larger box");
  }
}

u64 DomainCollisions::find_pairs(const PairPoints& points, std::size_t images) {
  device_.clear(found_, sizeof(u32));
  const PairShare share(device_, points.tree().groups(), p_.n, p_.n);
  const DeviceArray<pos_t>& reach = sweeps_ ? reach_ : p_.radius;
  launch_pairs<kernels::colliding_of_groups, kernels::colliding_of_each>(
      points, points, true, points.pairs(points, no_box(), images), CollidingOptions{room_, rule_.time},
      CollidingArrays{.pairs = points.arrays(points, images_, nullptr, &cell_reach_),
                      .extent = reach,
                      .target_extent = reach,
                      .radius = p_.radius,
                      .vx = p_.v[0],
                      .vy = p_.v[1],
                      .vz = p_.v[2],
                      .found = found_,
                      .pair_first = first_,
                      .pair_second = second_,
                      .in_image = in_image_},
      nullptr, share);
  const std::vector<std::int64_t> counts = share.each(device_, found_, 0);
  const auto found = static_cast<u64>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  // rounds sort pairs by their turns, so their order here may be another on each rank
  if (share.is_shared() && found <= room_) {
    device_.join_lists(std::array{Exchanged{&first_, sizeof(u32)}, Exchanged{&second_, sizeof(u32)},
                                  Exchanged{&in_image_, sizeof(i32)}},
                       counts);
  }
  return found;
}

/// Once more where there was no room for all.
i32 DomainCollisions::find_all_pairs(const PairPoints& points, std::size_t images) {
  if (room_ == 0) reserve_pairs(std::max<std::size_t>(1024, domain_.size() / 2));
  u64 found = find_pairs(points, images);
  constexpr u64 most_pairs = u64{1} << 30;
  if (found > most_pairs) {
    throw Error("collisions", std::to_string(found) + " pairs of bodies touch, more than 2^30",
                "start with bodies that do not overlap");
  }
  if (found > room_) {
    reserve_pairs(found + found / 4);
    found = find_pairs(points, images);
  }
  return static_cast<i32>(found);
}

// A pair of bodies, in at most 8 calls: Stepper::step() -> ParticleSystem::act_after() -> after_step() -> resolve() ->
// find_pairs() -> launch_pairs() -> the kernel colliding_of_groups -> colliding_meet(). Then, in the order of
// turn_of_pair(), CollisionTurns::resolve() -> collide() of bodies.h.
Changes DomainCollisions::after_step(double length) {
  const std::uint64_t before = totals_.number;
  events_.clear();
  if (halts_ && p_.n == 0) totals_.in_contact.clear();
  if (p_.n > 0) resolve(length);
  const bool moves = sweeps_ || rule_.merges != 0;
  return {.positions = moves, .forces = moves && !halts_ && around_.attracted && totals_.number != before};
}

void DomainCollisions::resolve(double length) {
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::collisions);
  const double omega = around_.boundary.kind == BoundaryKind::shear ? around_.boundary.omega : 0;
  rule_.mass_unit = static_cast<pos_t>(domain_.frame().mass);
  rule_.omega = static_cast<pos_t>(omega);
  const std::vector<SourceImage> images = neighbouring_images(around_.boundary, around_.time);
  upload_all(device_, images_, image_values(images));
  const PairPoints points(domain_);
  if (sweeps_) sweep(length, omega);
  points.reach_of_cells(cell_reach_, sweeps_ ? reach_ : p_.radius);
  if (sweeps_ || rule_.merges) demand_one_box();
  const i32 count = find_all_pairs(points, images.size());
  if (count == 0) return totals_.in_contact.clear();
  place_.reserve(domain_.size() * sizeof(u32));
  device_.launch(kernels::invert_order{.from = p_.input, .n = p_.n, .to = place_}, plain_variant, p_.n);
  if (records_) notes_.begin(static_cast<std::size_t>(count));
  const FoundPairs pairs = {count,   first_,   second_, in_image_, p_.n,    place_,
                            p_.gone, bodies(), images_, rule_,     speeds_, coefficients_};
  if (halts_) return halt(pairs);
  turns_->resolve(pairs, totals_);
  if (!records_) return;
  const EventKind kind = rule_.merges != 0 ? EventKind::merged : EventKind::bounced;
  for (const NotedMeeting& note : notes_.read()) events_.push_back(event_of_note(kind, note));
}

Event DomainCollisions::event_of_note(EventKind kind, const NotedMeeting& note) const {
  Encounter encounter = note.encounter;
  encounter.time += around_.time;
  for (std::size_t k = 0; k < 2; ++k) {
    encounter.ids[k] = around_.id ? around_.id(note.body[k]) : note.body[k];
  }
  return event_of(kind, encounter);
}

/// Pairs in the order of the input, each once, though it may touch in several images of a box: as it did first. One
/// that stays in contact does not halt the run again.
void DomainCollisions::halt(const FoundPairs& pairs) {
  turns_->note(pairs);
  std::vector<NotedMeeting> notes = notes_.read();
  std::sort(notes.begin(), notes.end(), [](const NotedMeeting& a, const NotedMeeting& b) {
    return std::pair(a.body, a.encounter.time) < std::pair(b.body, b.encounter.time);
  });
  const auto same = [](const NotedMeeting& a, const NotedMeeting& b) { return a.body == b.body; };
  notes.erase(std::unique(notes.begin(), notes.end(), same), notes.end());
  const std::vector<IdPair> before = std::exchange(totals_.in_contact, {});
  for (const NotedMeeting& note : notes) {
    const Event event = event_of_note(EventKind::halted, note);
    totals_.in_contact.push_back(event.ids);
    if (std::find(before.begin(), before.end(), event.ids) == before.end()) events_.push_back(event);
  }
  totals_.number += events_.size();
}

void DomainCollisions::report(Reports& reports) const { reports.collisions = totals_; }

Bytes DomainCollisions::bytes() const {
  Bytes sum{0, 0, turns_->bytes() + notes_.bytes()};
  for (const Buffer* b :
       std::initializer_list<const Buffer*>{&speeds_, &coefficients_, &images_, &cell_reach_, &reach_, &since_, &found_,
                                            &first_, &second_, &place_, &in_image_}) {
    sum.scratch += b->bytes();
  }
  return sum;
}

}  // namespace

memory::Need domain_collisions_host_need(const Holding& holding, bool records) {
  if (!holding.bodies) return {};
  constexpr double swept = 2 * sizeof(pos_t);
  return {{"pairs that collide", (pair_bytes + (records ? note_bytes : 0)) / 2 + sizeof(u32) + swept}};
}

std::unique_ptr<Module> make_domain_collisions(Domain& domain, const CollisionOptions& options,
                                               const CollisionTotals& totals, const Surroundings& around,
                                               const ContactGravity& gravity) {
  return std::make_unique<DomainCollisions>(static_cast<ParticleDomain&>(domain), options, totals, around, gravity);
}

HB_CLOSE
