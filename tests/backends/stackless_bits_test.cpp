// SPDX-License-Identifier: Apache-2.0
// The stackless walk compiled as C++ and as OpenCL C gives the same bits: strict arithmetic, contraction off, correctly
// rounded division and square root on both sides.
#define HB_STRICT
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "backends/opencl.h"
#include "hornbeam/ics.h"
#include "interactions/gravity/particle_gravity.h"
#include "support/built_tree.h"
#include "support/devices.h"

#if defined(__SANITIZE_ADDRESS__)
/// PoCL and its LLVM leak, and the leak check itself faults among PoCL's threads at the end of the program.
extern "C" int __lsan_is_turned_off() { return 1; }
#endif

HB_OPEN
namespace {

constexpr std::size_t particle_count = 3000;

/// What a walk gives each target; compared byte by byte.
struct Forces {
  std::vector<sum_t> acc;   ///< (n, 4)
  std::vector<u32> counts;  ///< (n, 2): particle and cell interactions
};

Forces walk_as_cpp(BuiltTree& tree, const std::vector<real>& last_acceleration) {
  const i32 n = tree.options.particles;
  Forces out{std::vector<sum_t>(4 * n), std::vector<u32>(2 * n)};
  const CellsView cells = tree.tree.view();
#pragma omp parallel for schedule(dynamic, 64)
  for (i32 i = 0; i < n; ++i) {
    GravityState state = gravity_begin(tree.particles(), tree.particles(), tree.options, i, last_acceleration[i]);
    gravity_stackless(&state, cells, tree.options.cells);
    gravity_carry(&state);
    for (int k = 0; k < 4; ++k) out.acc[4 * i + k] = state.acc[k];
    out.counts[2 * i] = state.particle_interactions, out.counts[2 * i + 1] = state.cell_interactions;
  }
  return out;
}

/// |a| of each target, for the relative criterion.
std::vector<real> sizes(const Forces& forces) {
  std::vector<real> size;
  for (std::size_t i = 0; i < forces.acc.size(); i += 4) {
    size.push_back(static_cast<real>(std::hypot(forces.acc[i], forces.acc[i + 1], forces.acc[i + 2])));
  }
  return size;
}

#if defined(HORNBEAM_TEST_OPENCL)
template <class T>
cl::Buffer upload(const opencl::Machine& machine, const T* data, std::size_t count) {
  return {machine.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(T),
          const_cast<void*>(static_cast<const void*>(data))};
}

/// PoCL and the kernel, compiled once.
struct CompiledWalk {
  opencl::Machine machine = *opencl::find_pocl();
  cl::Kernel kernel;

  CompiledWalk() {
    std::ifstream file(HORNBEAM_SOURCES "/tests/backends/portable/gravity_walk.cl");
    const std::string source(std::istreambuf_iterator<char>(file), {});
    kernel = cl::Kernel(opencl::compile(machine, source, HB_PRECISION), "gravity_walk");
  }
};

Forces walk_as_opencl(BuiltTree& tree, const std::vector<real>& last_acceleration) {
  static CompiledWalk& compiled = *new CompiledWalk;  // stays: drivers may be gone before objects of the program's end
  const opencl::Machine& machine = compiled.machine;
  cl::Kernel& kernel = compiled.kernel;
  const auto n = static_cast<std::size_t>(tree.options.particles), cells = static_cast<std::size_t>(tree.options.cells);
  Forces out{std::vector<sum_t>(4 * n), std::vector<u32>(2 * n)};
  const cl::Buffer acc = upload(machine, out.acc.data(), out.acc.size());
  const cl::Buffer counts = upload(machine, out.counts.data(), out.counts.size());
  std::vector<cl::Buffer> arguments = {upload(machine, &tree.options, 1), upload(machine, last_acceleration.data(), n),
                                       acc, counts};
  const ParticlesView p = tree.particles();
  const CellsView c = tree.tree.view();
#define HB_UPLOAD_PARTICLES(type, field) arguments.push_back(upload(machine, p.field, n));
#define HB_UPLOAD_CELLS(type, field)           \
  arguments.push_back(upload(machine, c.field, \
                             cells*(std::string(#field) == "moments" ? (std::size_t)tree.options.moment_stride : 1)));
  HB_PARTICLE_FIELDS(HB_UPLOAD_PARTICLES)
  HB_CELL_FIELDS(HB_UPLOAD_CELLS)
#undef HB_UPLOAD_PARTICLES
#undef HB_UPLOAD_CELLS
  for (std::size_t k = 0; k < arguments.size(); ++k) kernel.setArg(static_cast<cl_uint>(k), arguments[k]);
  machine.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n));
  machine.queue.enqueueReadBuffer(acc, CL_TRUE, 0, out.acc.size() * sizeof(sum_t), out.acc.data());
  machine.queue.enqueueReadBuffer(counts, CL_TRUE, 0, out.counts.size() * sizeof(u32), out.counts.data());
  return out;
}
#endif

/// Targets whose bits differ.
std::size_t differences(const Forces& a, const Forces& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.counts.size() / 2; ++i) {
    different += std::memcmp(&a.acc[4 * i], &b.acc[4 * i], 4 * sizeof(sum_t)) != 0 ||
                 std::memcmp(&a.counts[2 * i], &b.counts[2 * i], 2 * sizeof(u32)) != 0;
  }
  return different;
}

class StacklessBits : public ::testing::TestWithParam<std::tuple<Mac, int, Softening>> {
 protected:
  void SetUp() override {
    if (!opencl::absent_reason().empty()) GTEST_SKIP() << absent("opencl", opencl::absent_reason());
  }
};

TEST_P(StacklessBits, CppAndOpenClAgree) {
#if defined(HORNBEAM_TEST_OPENCL)
  const auto [mac, order, softening] = GetParam();
  GravityOptions options;
  options.order = order;
  options.softening = softening;
  options.eps = 0.02;  // spline kernels overlap in the core: both branches of the formula are taken
  options.mac = Mac::offset;
  const Particles particles = ics::make("plummer", particle_count, ics::Seed{12}).particles;
  std::vector<real> last(particle_count, 0);
  if (mac == Mac::relative) {
    BuiltTree first = build_tree(particles, options);
    last = sizes(walk_as_cpp(first, last));
  }
  options.mac = mac;
  BuiltTree tree = build_tree(particles, options);
  const Forces cpp = walk_as_cpp(tree, last), cl = walk_as_opencl(tree, last);
  EXPECT_EQ(differences(cpp, cl), 0U);
  // the walk did what it is for: neither direct summation nor nothing
  u64 cells = 0, pairs = 0;
  for (std::size_t i = 0; i < particle_count; ++i) pairs += cpp.counts[2 * i], cells += cpp.counts[2 * i + 1];
  EXPECT_GT(cells, 50 * particle_count);
  EXPECT_LT(pairs, particle_count * particle_count / 3);
#endif
}

INSTANTIATE_TEST_SUITE_P(
    All, StacklessBits,
    ::testing::Combine(::testing::Values(Mac::bh, Mac::offset, Mac::offset_box, Mac::min_distance, Mac::relative),
                       ::testing::Values(0, 2), ::testing::Values(Softening::plummer, Softening::spline)),
    [](const auto& info) {
      std::string text = std::string(name(std::get<0>(info.param))) + "_order" +
                         std::to_string(std::get<1>(info.param)) + "_" + std::string(name(std::get<2>(info.param)));
      for (char& c : text) c = c == '-' ? '_' : c;
      return text;
    });

}  // namespace
HB_CLOSE
