// SPDX-License-Identifier: Apache-2.0
// How much of the host's memory something will take, by purpose, and the one place that refuses it. The tables of
// purposes: particles.h here, tree/host_need.h for evaluations, interactions/gravity/memory_plan.h for a device's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hornbeam::memory {

/// Bytes when most are stored: for each particle, and a fixed number. reserved: more that is reserved
/// and hardly used, such as stacks of threads. Only the limits of the process count it (ulimit -v,
/// -d).
struct Purpose {
  std::string name;
  double each = 0, fixed = 0, reserved = 0;
};

class Need {
 public:
  Need() = default;
  Need(std::initializer_list<Purpose> purposes) : purposes_(purposes) {}

  /// Both at once.
  friend Need operator+(Need a, const Need& b) {
    a.purposes_.insert(a.purposes_.end(), b.purposes_.begin(), b.purposes_.end());
    return a;
  }
  [[nodiscard]] const std::vector<Purpose>& purposes() const { return purposes_; }
  [[nodiscard]] double each() const;
  [[nodiscard]] double fixed() const;
  [[nodiscard]] double reserved() const;
  [[nodiscard]] double bytes(std::uint64_t n) const { return each() * static_cast<double>(n) + fixed(); }

 private:
  std::vector<Purpose> purposes_;
};

/// The larger of two for n particles: one after the other.
const Need& larger(std::uint64_t n, const Need& a, const Need& b);

/// Throws Error("memory", ...) if n particles do not fit. It names what is needed by purpose, what is left, and how
/// many would fit. held: what the process has already and could use again. advice: what makes the fixed part
/// smaller.
void demand(std::uint64_t n, const Need& need, double held = 0, std::string_view advice = {});
/// The same of what is taken at once, mostly as a part of what was admitted at the start: less has to stay free.
void demand_now(std::uint64_t n, const Need& need, double held = 0, std::string_view advice = {});
/// Whether demand() would let it pass.
bool fits(std::uint64_t n, const Need& need, double held = 0);

}  // namespace hornbeam::memory
