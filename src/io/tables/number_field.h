// SPDX-License-Identifier: Apache-2.0
// Fields of doubles, one or three a particle, as the formats with named fields see them: rows of core/fields.h that one
// loop can read or write.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/fields.h"

namespace hornbeam::io {

struct NumberField {
  const FieldRow* row = nullptr;
  std::vector<Vec3> Particles::*vectors = nullptr;  ///< one of these two is set
  std::vector<double> Particles::*scalars = nullptr;

  [[nodiscard]] constexpr std::size_t columns() const { return vectors != nullptr ? 3 : 1; }
  [[nodiscard]] bool empty(const Particles& p) const {
    return vectors != nullptr ? (p.*vectors).empty() : (p.*scalars).empty();
  }
  void resize(Particles& p, std::size_t n) const {
    if (vectors != nullptr) {
      (p.*vectors).resize(n);
    } else {
      (p.*scalars).resize(n);
    }
  }
  /// The values of particle `i`.
  [[nodiscard]] const double* at(const Particles& p, std::size_t i) const {
    return vectors != nullptr ? (p.*vectors)[i].data() : (p.*scalars).data() + i;
  }
  [[nodiscard]] double* at(Particles& p, std::size_t i) const {
    return vectors != nullptr ? (p.*vectors)[i].data() : (p.*scalars).data() + i;
  }
};

/// act(NumberField) for each of the table's rows that is one.
template <class Act>
constexpr void for_each_number_field(const Act& act) {
  for_each_field([&](const auto& field) {
    using Value = typename std::decay_t<decltype(field)>::Value;
    if constexpr (std::is_same_v<Value, Vec3>) act(NumberField{&field.row, field.array, nullptr});
    if constexpr (std::is_same_v<Value, double>) act(NumberField{&field.row, nullptr, field.array});
  });
}

/// A sentence for each field that the particles hold and files can, but not this format, whose own words are about
/// those `known` to it.
inline void add_unknown_fields(std::vector<std::string>& sentences, const Particles& particles, const char* format,
                               std::initializer_list<std::string_view> known) {
  for_each_number_field([&](const NumberField& field) {
    const FieldRow& row = *field.row;
    if (row.required || row.dataset.name == nullptr || field.empty(particles)) return;
    if (std::find(known.begin(), known.end(), row.name) != known.end()) return;
    sentences.push_back(std::string(format) + ": " + row.said() + " is dropped");
  });
}

}  // namespace hornbeam::io
