// SPDX-License-Identifier: Apache-2.0
// The laws of materials as kernels take them, on a device. Compiled once a precision (HB_PRECISION).
#pragma once

#include <vector>

#include "interactions/pair_sources.h"
#include "materials/numbers.h"
#include "physics/material.h"

HB_OPEN

/// A material's law in this precision; first: where its table begins.
inline MaterialLaw law_from(const materials::LawNumbers& numbers, i32 first) {
  MaterialLaw law{};
  law.kind = numbers.kind;
  law.first = first;
  law.rows = numbers.rows;
  law.columns = numbers.columns;
  law.gas = {law.kind, static_cast<pos_t>(numbers.gamma), static_cast<pos_t>(numbers.speed2),
             static_cast<pos_t>(numbers.factor), static_cast<pos_t>(numbers.critical)};
  if (numbers.tillotson.empty()) return law;
  std::size_t k = 0;
#define HB_TAKE(name) law.tillotson.name = static_cast<pos_t>(numbers.tillotson[k++]);
  HB_TILLOTSON_FIELDS(HB_TAKE)
#undef HB_TAKE
  return law;
}

/// An entry of `laws` a material, and their tables one after the other.
inline void upload_laws(Device& device, const Materials& all, DeviceArray<MaterialLaw>& laws,
                        DeviceArray<pos_t>& tables) {
  std::vector<MaterialLaw> made;
  std::vector<pos_t> numbers;
  for (const Material& material : all.all()) {
    const materials::LawNumbers of = materials::numbers_of(material);
    made.push_back(law_from(of, static_cast<i32>(numbers.size())));
    for (const double number : of.table) numbers.push_back(static_cast<pos_t>(number));
  }
  numbers.push_back(0);  // an array is never empty
  upload_all(device, laws, made);
  upload_all(device, tables, numbers);
}

HB_CLOSE
