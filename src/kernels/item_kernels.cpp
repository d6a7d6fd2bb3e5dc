// SPDX-License-Identifier: Apache-2.0
// A loop for each item kernel that the CPU runs: arguments are read once, then every item gets them. Compiled once a
// precision (HB_PRECISION).
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "device/host/item_kernels.h"
#include "device/kernels/check.h"
#include "device/kernels/dynamics.h"
#include "device/kernels/lent.h"
#include "device/kernels/lent_search.h"
#include "device/kernels/order.h"
#include "device/kernels/rungs.h"
#include "interactions/collisions/kernels/centres.h"
#include "interactions/collisions/kernels/contacts.h"
#include "interactions/gravity/kernels/lattice.h"
#include "interactions/gravity/kernels/mass_points.h"
#include "interactions/gravity/kernels/remember_demands.h"
#include "interactions/gravity/kernels/tides.h"
#include "interactions/groups/kernels/units.h"
#include "interactions/sph/kernels/gas.h"

HB_OPEN
namespace {

template <class T>
T argument(const Arguments& arguments, std::size_t k) {
  T value;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): an argument may be a pointer
  std::memcpy(&value, arguments.items()[k].value, sizeof value);
  return value;
}

template <auto kernel>
struct Loop;

/// `kernel`(item, parameters...).
template <class... Parameter, void (*kernel)(i32, Parameter...)>
struct Loop<kernel> {
  static void run(i64 items, const Arguments& arguments) {
    run(items, arguments, std::index_sequence_for<Parameter...>());
  }

 private:
  template <std::size_t... k>
  static void run(i64 items, const Arguments& arguments, std::index_sequence<k...> /*all*/) {
    run(items, argument<Parameter>(arguments, k)...);
  }
  static void run(i64 items, Parameter... value) {
#pragma omp parallel for simd schedule(static)
    for (i64 i = 0; i < items; ++i) kernel(static_cast<i32>(i), value...);
  }
};

using Table = std::array<HostKernel, static_cast<std::size_t>(plain_kernel_count)>;

constexpr Table make_table() {
  Table table{};
#define HB_HOST_LOOP(name) table[static_cast<std::size_t>(Kernel::name)] = &Loop<&host_kernels::name>::run;
  HB_HOST_KERNELS(HB_HOST_LOOP)
#undef HB_HOST_LOOP
  return table;
}

}  // namespace

HostKernel host_kernel(Kernel kernel) {
  static constexpr Table table = make_table();
  const auto k = static_cast<std::size_t>(kernel);
  return k < table.size() ? table[k] : nullptr;
}

HB_CLOSE
