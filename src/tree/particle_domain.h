// SPDX-License-Identifier: Apache-2.0
// A domain in one precision: the particles' arrays, the steps that put them in order, and the frame. Interactions and
// steppers of the same precision work on it. Compiled once a precision.
#pragma once

#include <vector>

#include "core/fields.h"
#include "device/stage_timer.h"
#include "stages/key.h"
#include "tree/domain.h"
#include "tree/particle_sums.h"
#include "tree/target_set.h"

HB_OPEN

/// Internal units, powers of two: what interactions compute with stays far inside the range of fp32.
struct Frame {
  KeyCube cube{};
  double length = 1;  ///< internal length per length
  double mass = 1;    ///< internal mass per mass
  double G = 1;

  /// User's acceleration and potential per internal one.
  [[nodiscard]] double acceleration() const { return G * length * length / mass; }
  [[nodiscard]] double potential() const { return G * length / mass; }
  /// The same for G = 1, which changes no digits.
  [[nodiscard]] double exact_acceleration() const { return length * length / mass; }
  [[nodiscard]] double exact_potential() const { return length / mass; }
};

class ParticleDomain final : public Domain {
 public:
  explicit ParticleDomain(Device& device);

  [[nodiscard]] Precision precision() const override { return this_precision; }
  [[nodiscard]] int gathering_leaf_size() const override { return tree_->gathering_leaf_size(); }
  [[nodiscard]] std::size_t size() const override { return static_cast<std::size_t>(p_.n); }
  void set_users(std::vector<FrameUser*> users) override { users_ = std::move(users); }
  void load(const Particles& particles, const DomainOptions& options, const Holding& holding) override;
  void load_lent(const LentParticles& particles, const DomainOptions& options, const Holding& holding) override;
  void give(const ForcesOnDevice& to) override;
  [[nodiscard]] KeyBox cube() const override;
  void build() override;
  void move(const std::vector<Vec3>& position) override;
  void move(const ArrayOnDevice& position) override;
  void take_all() override;
  void take_due(int least) override;
  void store(Particles& particles) override;
  void save(Particles& particles) override;
  void restore(const Particles& particles) override;
  std::vector<Motion> motions(const std::vector<std::size_t>& which) override;
  std::size_t take_out(const Departing& departing) override;
  std::vector<std::size_t> take_origins() override;
  void remember() override;
  void go_back() override;
  [[nodiscard]] const StageSeconds& seconds() const override { return timer_.seconds(); }
  [[nodiscard]] Bytes bytes() const override;

  [[nodiscard]] Device& device() { return device_; }
  [[nodiscard]] StageTimer& timer() { return timer_; }
  [[nodiscard]] DeviceParticles& particles() { return p_; }
  [[nodiscard]] Tree& tree() { return *tree_; }
  [[nodiscard]] TargetSet& targets() { return *targets_; }
  [[nodiscard]] const Frame& frame() const { return frame_; }
  /// External fields that act on the particles; null: none.
  void set_fields(FieldSource* fields) { fields_ = fields; }
  [[nodiscard]] FieldSource* fields() const { return fields_; }

 private:
  void reserve(const Holding& holding);
  void begin_load(std::size_t n, const DomainOptions& options, const Holding& holding);
  void choose_scales(double total, double extent);
  void choose_length();
  void refuse_lost_lengths() const;
  void write(Particles& particles, double a_unit, double p_unit);
  void load_bodies(const Particles& particles, const Holding& holding);
  void write_bodies(Particles& particles, const std::vector<u32>& to);
  void load_gas(const Particles& particles);
  void write_gas(Particles& particles, Life life);
  template <class Act>
  void for_each_gas_field(const Act& act);
  template <class Act>
  void for_each_gas_vector(const Act& act);
  void restore_rungs(const Particles& particles, const std::vector<u32>& from);
  template <class T, class Value>
  void upload(const Buffer& to, Value value);
  template <class T, class Take>
  void download(const Buffer& from, Take take);
  [[nodiscard]] std::vector<u32> input_indices();
  [[nodiscard]] std::vector<Departure> departures();
  template <class Launch, class T>
  void keep(DeviceArray<T>& values, const DeviceArray<u32>& from, i32 count);

  Device& device_;
  mutable StageTimer timer_;
  DeviceParticles p_, remembered_;
  std::unique_ptr<Tree> tree_;
  std::unique_ptr<TargetSet> targets_;
  std::vector<FrameUser*> users_;
  FieldSource* fields_ = nullptr;
  DomainOptions options_;
  Frame frame_;
  double largest_ = 0;  ///< coordinate of what was loaded
  double remembered_length_ = 1;
};

HB_CLOSE
