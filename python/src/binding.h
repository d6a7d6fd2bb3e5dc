// SPDX-License-Identifier: Apache-2.0
// What the files of the Python module share: arrays in and out of vectors without more than one copy, values of
// options.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/force_tree.h"
#include "hornbeam/particles.h"
#include "hornbeam/units.h"
#include "io/json.h"

namespace hornbeam::python {

namespace nb = nanobind;

/// (N, 3) and (N) in fp64, C order, as python/hornbeam/arrays.py makes them.
using Vectors = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

inline std::vector<Vec3> vectors_from(const Vectors& array) {
  std::vector<Vec3> values(array.shape(0));
  if (!values.empty()) std::memcpy(values.data(), array.data(), values.size() * sizeof(Vec3));
  return values;
}
inline std::vector<double> numbers_from(const Numbers& array) { return {array.data(), array.data() + array.shape(0)}; }

/// An array that takes the vector over. Vec3 become rows of three.
template <class T>
nb::object array_of(std::vector<T>&& values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const std::size_t n = kept->size();
  T* const data = kept->data();
  const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  if constexpr (std::is_same_v<T, Vec3>) {
    return nb::cast(nb::ndarray<nb::numpy, double>(data, {n, 3}, owner));
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return nb::cast(nb::ndarray<nb::numpy, double>(data->data()->data(), {n, 3, 3}, owner));
  } else if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {  // NumPy counts and indexes by signed numbers
    using Signed = std::make_signed_t<T>;
    return nb::cast(nb::ndarray<nb::numpy, Signed>(reinterpret_cast<Signed*>(data), {n}, owner));
  } else {
    return nb::cast(nb::ndarray<nb::numpy, T>(data, {n}, owner));
  }
}

/// The same of numbers in C order.
inline nb::object array_of(std::unique_ptr<double[]>&& numbers, std::initializer_list<std::size_t> shape) {
  double* const data = numbers.get();
  const nb::capsule owner(numbers.release(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(data, shape, owner));
}
/// A boundary of a dict of the keys of [boundary].
Boundary boundary_of(const nb::dict& keys);

/// Options of [gravity] for a tree that has this precision.
GravityOptions tree_options(const nb::dict& options, Precision precision);

/// As hb.TreeNodes takes them.
nb::dict dict_of(TreeNodes&& nodes);

/// What a tree, of either kind, is asked about its cells. Several threads wait for one another.
template <class Tree, class Found>
Found of_tree(Tree& tree, Found (Tree::*ask)(const GravityOptions&), const nb::dict& options, Precision precision,
              std::mutex& mutex) {
  const GravityOptions gravity = tree_options(options, precision);
  const nb::gil_scoped_release free;
  const std::lock_guard lock(mutex);
  return (tree.*ask)(gravity);
}

/// Python's None, numbers, texts, lists and dicts, of JSON.
nb::object object_of(const Json& json);

/// A message of the library with the flags that it names as Python's keywords. of_request: that it names an option, not
/// a file, is possible.
std::string by_keywords(std::string text, bool of_request);
std::vector<std::string> by_keywords(std::vector<std::string> texts);

/// Throws where the snapshot says its units, and they differ from these.
void check_units(const Snapshot& given, const Units& here);

void bind_analysis(nb::module_& m);
void bind_energies(nb::module_& m);
void bind_external(nb::module_& m);
void bind_forces(nb::module_& m);
void bind_pictures(nb::module_& m);
void bind_lent_arrays(nb::module_& m);
void bind_lent_searches(nb::module_& m);
void bind_runs(nb::module_& m);
void bind_served_view(nb::module_& m);
void bind_simulation(nb::module_& m);

}  // namespace hornbeam::python
