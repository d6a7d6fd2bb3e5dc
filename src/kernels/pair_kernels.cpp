// SPDX-License-Identifier: Apache-2.0
// From the flat arguments of a launch to the views that the CPU's walks over pairs take, see pair_kernels.h. Compiled
// once a precision (HB_PRECISION).
#include <cstring>

#include "device/host/kernels.h"
#include "device/host/pair_kernels.h"
#include "device/host/threads.h"
#include "interactions/neighbours/host/sorted_rows.h"
#include "pair_visitors.h"

HB_OPEN
namespace {

/// The arguments of a launch, one after the other.
class Reader {
 public:
  explicit Reader(const Arguments& arguments) : next_(arguments.items().data()) {}
  template <class T>
  void take(T& value) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an argument may be a pointer
    std::memcpy(&value, next_++->value, sizeof value);
  }
  void leave_out(int count) { next_ += count; }

 private:
  const Arguments::Item* next_;
};

/// The groups of a launch.
struct GivenGroups {
  i32 count = 0;
  const GroupRange* range = nullptr;
};

#define HB_TAKE_CELL(type, field) reader.take(cells.field);

/// A walk by groups of targets; more: arguments of its kernel that only warps need.
template <class View, auto by_groups, int more>
void walk_groups(const Arguments& arguments, InstructionSet isa, int threads) {
  Reader reader(arguments);
  View view{};
  CellsView cells{};
  GivenGroups groups;
  reader.take(view.pairs), reader.take(view.options);
  reader.take(groups.count), reader.take(groups.range), reader.leave_out(more);
  take_arrays(reader, view);
  HB_CELL_FIELDS(HB_TAKE_CELL)
  const Threads scope(threads_for(threads, view.pairs.targets, Work::walk));
  (kernels_of(isa).*by_groups)(&view, cells, groups.range, groups.count);
}

template <class View, auto of_each>
void walk_each(const Arguments& arguments, InstructionSet isa, int threads) {
  Reader reader(arguments);
  View view{};
  CellsView cells{};
  reader.take(view.pairs), reader.take(view.options);
  take_arrays(reader, view);
  HB_CELL_FIELDS(HB_TAKE_CELL)
  const Threads scope(threads_for(threads, view.pairs.targets, Work::walk));
  (kernels_of(isa).*of_each)(&view, cells);
}

void sort_rows(const Arguments& arguments, InstructionSet /*isa*/, int threads) {
  Reader reader(arguments);
  RowWindow rows{};
  i32 by_distance = 0;
  const u64* offset = nullptr;
  u32* index = nullptr;
  pos_t* distance2 = nullptr;
  reader.take(rows), reader.take(by_distance), reader.take(offset), reader.take(index), reader.take(distance2);
  const Threads scope(threads_for(threads, rows.end - rows.begin, Work::item));
  sort_rows_on_host(rows, by_distance != 0, offset, index, distance2);
}

}  // namespace

HostWalkKernel host_walk_kernel(Kernel kernel) {
  switch (kernel) {
#define HB_CASES(NAME, Type, more)                                    \
  case Kernel::NAME##_of_groups:                                      \
    return walk_groups<Type##View, &Kernels::NAME##_of_groups, more>; \
  case Kernel::NAME##_of_each:                                        \
    return walk_each<Type##View, &Kernels::NAME##_of_each>;
#define HB_SEARCH(NAME, Type, F, W) HB_CASES(NAME, Type, 0)
#define HB_GATHER(NAME, Type, F, W) HB_CASES(NAME, Type, 3)
    HB_PAIR_SEARCHES(HB_SEARCH, , )
    HB_PAIR_GATHERERS(HB_GATHER, , )
    case Kernel::sort_rows:
      return sort_rows;
    default:
      return nullptr;
  }
}

HB_CLOSE
