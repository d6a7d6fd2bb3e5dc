// SPDX-License-Identifier: Apache-2.0
// The walk of all sinks: the few at the top one after the other, and then what is below each by itself.
#pragma once

#include "interactions/gravity/host/hierarchy/first_look.h"
#include "interactions/gravity/host/hierarchy/sinks.h"

HB_ISA_OPEN

/// The walk of all sinks.
class HierarchyWalk {
 public:
  HierarchyWalk(const WalkArrays& arrays, const HierarchyTargets& targets, const WalkOptions& options,
                const HierarchyOptions& what)
      : arrays_(arrays),
        options_(options),
        what_(what),
        families_(arrays.cells, options),
        sinks_(arrays.targets, targets, what, options.unit) {}

  /// May throw OutOfRoom.
  void reserve() {
    families_.reserve();
    sinks_.list();
  }

  /// Before open().
  void prepare(Rescue& rescue) {
    // those that few targets meet are a few of the source's families: these are made as they are met
    const bool are_few = sinks_.targets() < options_.particles / 4;
    if (are_few) {
      families_.fill_root();
    } else {
      families_.fill();
    }
    sinks_.measure_units(arrays_.last_acceleration);
    if (arrays_.last_acceleration == nullptr) {
#pragma omp parallel for schedule(dynamic, 16)
      for (i32 i = 0; i < sinks_.count(); ++i) {
        if (sinks_.is_unit(i))
          rescue.run([&] { sinks_.set_demand(i, first_demand(sinks_.sink(i), sinks_, arrays_, options_, what_)); });
      }
    }
    sinks_.measure_parents();
  }

  [[nodiscard]] const Families& families() const { return families_; }
  [[nodiscard]] const SinkTree& tree() const { return sinks_; }
  [[nodiscard]] i32 sinks() const { return left_; }
  [[nodiscard]] const OpenSink& sink(i32 i) const { return queue_[tasks_[i]]; }

  /// Walks the sinks at the top, one after the other: their descendants are left in sinks().
  void open(const Hierarchy& hierarchy, HierarchyScratch& scratch) {
    const i32 images = arrays_.images.count;
    scratch.lists.reserve(images);
    for (i32 i = 0; i < images; ++i) scratch.lists[i] = {0, 1u, (u32)i};  // the root of each
    scratch.listed = images;
    if (sinks_.count() > 0) push({0, {&scratch.lists, 0, images}, 0, {1, {}}});
    for (i32 i = 0; i < queued_; ++i) {
      const OpenSink now = queue_[i];
      if (sinks_.sink(now.number).count > what_.top && !sinks_.is_unit(now.number)) {
        hierarchy.walk(now, scratch, [&](const OpenSink& child) { push(child); });
      } else {
        tasks_.reserve(left_ + 1);
        tasks_[left_++] = i;
      }
    }
  }

 private:
  void push(const OpenSink& sink) {
    queue_.reserve(queued_ + 1);
    queue_[queued_++] = sink;
  }

  const WalkArrays& arrays_;
  const WalkOptions& options_;
  const HierarchyOptions& what_;
  Families families_;
  SinkTree sinks_;
  Room<OpenSink> queue_;
  Room<i32> tasks_;
  i32 queued_ = 0, left_ = 0;
};

HB_ISA_CLOSE
