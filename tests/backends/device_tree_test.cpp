// SPDX-License-Identifier: Apache-2.0
// Every stage of the tree on every device against the CPU's: integers exactly, moments to rounding, and bit for bit in
// strict builds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "../support/built_tree.h"
#include "../support/devices.h"
#include "device/kernels/sizes.h"
#include "hornbeam/ics.h"
#include "stages/moments.h"
#include "tree/device/device_tree.h"

namespace hornbeam::mixed {
namespace {

template <class T>
std::vector<T> downloaded(Device& device, const Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  device.download(values.data(), buffer, 0, count * sizeof(T));
  return values;
}

struct OnDevice {
  std::unique_ptr<Device> device;
  DeviceParticles particles;
  DeviceTree tree;
  KeyCube cube{};

  OnDevice(const std::string& backend, const Particles& p, const GravityOptions& o, WalkOptions options)
      : device(open_device(backend, 0)), particles(*device), tree(*device) {
    const auto n = static_cast<i32>(p.size());
    particles.n = n;
    std::vector<double> x(p.size());
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < p.size(); ++i) x[i] = p.position[i][k];
      put(particles.x[k], x);
    }
    put(particles.mass, std::vector<float>(p.mass.begin(), p.mass.end()));
    const double eps = o.eps * static_cast<double>(options.unit);
    put(particles.soft2, std::vector<float>(p.size(), static_cast<float>(eps * eps / 2)));
    std::vector<u32> input(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) input[i] = static_cast<u32>(i);
    put(particles.input, input);
    cube = tree.bound(particles);
    const i32 curve = o.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
    tree.make_keys(particles, cube, curve);
    tree.sort(n);
    tree.reorder(particles);
    tree.build(particles, cube, curve, {o.leaf_size, options.moment_stride, {.size = o.group_size}, false});
    tree.compute_moments(particles, cube, options);
  }

  template <class T>
  void put(Buffer& buffer, const std::vector<T>& values) {
    buffer.reserve(values.size() * sizeof(T));
    device->upload(buffer, 0, values.data(), values.size() * sizeof(T));
  }
};

template <class T>
void expect_close(const std::vector<T>& device, const T* cpu, const char* field, double tolerance) {
  double scale = 0;
  for (std::size_t i = 0; i < device.size(); ++i) scale = std::max(scale, std::abs(static_cast<double>(cpu[i])));
  for (std::size_t i = 0; i < device.size(); ++i) {
#if defined(HB_STRICT)
    ASSERT_EQ(std::memcmp(&device[i], &cpu[i], sizeof(T)), 0) << field << " of cell " << i;
#endif
    ASSERT_NEAR(static_cast<double>(device[i]), static_cast<double>(cpu[i]), tolerance * scale)
        << field << " of cell " << i;
  }
}

void expect_same_tree(OnDevice& device, BuiltTree& cpu, std::size_t n) {
  Device& d = *device.device;
  EXPECT_EQ(std::memcmp(&device.cube, &cpu.cube, sizeof cpu.cube), 0);
  EXPECT_EQ(downloaded<u64>(d, device.tree.keys(), n), std::vector<u64>(cpu.keys.begin(), cpu.keys.end()));
  EXPECT_EQ(downloaded<u32>(d, device.particles.input, n), std::vector<u32>(cpu.input.begin(), cpu.input.end()));
  ASSERT_EQ(device.tree.cells().size(), cpu.tree.size());
  const CellsView cells = cpu.tree.view();
  const auto count = static_cast<std::size_t>(cpu.tree.size());
#define HB_EXPECT_SAME(field)                                                                                         \
  EXPECT_EQ(downloaded<i32>(d, device.tree.cells().field, count), std::vector<i32>(cells.field, cells.field + count)) \
      << #field
  HB_EXPECT_SAME(first);
  HB_EXPECT_SAME(count);
  HB_EXPECT_SAME(child);
  HB_EXPECT_SAME(children);
  HB_EXPECT_SAME(next);
#undef HB_EXPECT_SAME
  // fused or not: a few roundings of fp64 sums, then one of fp32
#define HB_EXPECT_CLOSE(field)                                                                                \
  expect_close(downloaded<std::remove_pointer_t<decltype(cells.field)>>(d, device.tree.cells().field, count), \
               cells.field, #field, sizeof(*cells.field) == 8 ? 1e-13 : 1e-6)
  HB_EXPECT_CLOSE(com_x);
  HB_EXPECT_CLOSE(low_y);
  HB_EXPECT_CLOSE(high_z);
  HB_EXPECT_CLOSE(cell_mass);
  HB_EXPECT_CLOSE(b);
  HB_EXPECT_CLOSE(size2);
  HB_EXPECT_CLOSE(cell_soft2);
  HB_EXPECT_CLOSE(reach);
#undef HB_EXPECT_CLOSE
}

/// Multipoles to a rounding of fp32, and a few of fp64 sums, of the largest of their order and cell.
void expect_same_moments(OnDevice& device, BuiltTree& cpu) {
  const CellsView cells = cpu.tree.view();
  const auto stride = static_cast<std::size_t>(cpu.options.moment_stride);
  const auto count = static_cast<std::size_t>(cpu.tree.size());
  const auto moments = downloaded<real>(*device.device, device.tree.cells().moments, count * stride);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(HB_MOMENTS(cpu.options.moment_order)); ++k) {
      const real theirs = moments[c * stride + k], ours = cells.moments[c * stride + k];
#if defined(HB_STRICT)
      ASSERT_EQ(std::memcmp(&theirs, &ours, sizeof(real)), 0) << "moment " << k << " of cell " << c;
#endif
      const double scale = cells.cell_mass[c] * cells.b[c] * cells.b[c];
      ASSERT_NEAR(theirs, ours, 1e-6 * std::abs(ours) + 1e-9 * scale) << "moment " << k << " of cell " << c;
    }
  }
}

TEST(DeviceTree, IsTheCpus) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  for (const std::string& backend : device_backends()) {
    for (const char* model : {"plummer", "uniform-cube", "lattice"}) {
      for (const int leaf : {1, 16, 40}) {
        Particles p = ics::make(model, 3375, ics::Seed{3}).particles;
        for (std::size_t i = 0; i < 100; ++i) p.position[i] = p.position[0];  // one leaf of the deepest level
        GravityOptions o;
        o.leaf_size = leaf, o.group_size = 64, o.eps = 0.01;
        o.curve = leaf == 40 ? Curve::morton : Curve::hilbert;
        BuiltTree cpu = build_tree(p, o);
        OnDevice device(backend, p, o, cpu.options);
        expect_same_tree(device, cpu, p.size());
      }
    }
  }
}

/// Particles [begin, end) of p within `width` of the first of them.
void gather(Particles& p, std::size_t begin, std::size_t end, double width) {
  for (std::size_t i = begin; i < end; ++i) {
    const double k = static_cast<double>(i - begin);
    for (int axis = 0; axis < 3; ++axis)
      p.position[i][axis] = p.position[begin][axis] + width * std::sin((axis + 1) * k);
  }
}

TEST(DeviceTree, LargeLeavesAreTheCpus) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  for (const std::string& backend : device_backends()) {
    for (const int leaf : {16, 400}) {
      Particles p = ics::make("plummer", 4000, ics::Seed{11}).particles;
      for (std::size_t i = 0; i < p.size(); ++i) p.mass[i] *= 1 + 0.5 * std::sin(static_cast<double>(i));
      gather(p, 0, 1001, 0);
      gather(p, 1100, 1700, 1e-10);  // much less than a cell of the deepest level, more than rounding
      GravityOptions o;
      o.leaf_size = leaf, o.group_size = 64, o.eps = 0.01;
      BuiltTree cpu = build_tree(p, o);
      const CellsView cells = cpu.tree.view();
      i32 large = 0;
      for (i32 c = 0; c < cpu.tree.size(); ++c) large += cells.children[c] == 0 && cells.count[c] > HB_LARGE_LEAF;
      ASSERT_GE(large, 2);
      OnDevice device(backend, p, o, cpu.options);
      expect_same_tree(device, cpu, p.size());
      expect_same_moments(device, cpu);
    }
  }
}

// Sorts look at the upper bits of keys first; particles this close together, few or many, differ in the lower ones
// only.
TEST(DeviceTree, OfCloseParticlesIsTheCpus) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  for (const std::string& backend : device_backends()) {
    const std::size_t n = backend == "cuda" ? 600000 : 4000;  // CUDA merges fewer than 2^19 and looks at all bits
    for (const int most : {2, HB_MOST_IN_RUN, HB_MOST_IN_RUN + 1, 300}) {
      Particles p = ics::make("plummer", n, ics::Seed{13}).particles;
      for (std::size_t i = 0; i < 10; ++i) gather(p, 350 * i, 350 * i + static_cast<std::size_t>(most), 1e-5);
      GravityOptions o;
      o.leaf_size = 16, o.group_size = 64, o.eps = 0.01;
      BuiltTree cpu = build_tree(p, o);
      OnDevice device(backend, p, o, cpu.options);
      expect_same_tree(device, cpu, n);
    }
  }
}

TEST(DeviceTree, GroupsCoverAllParticlesInWindowsAndEndAtGaps) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  for (const std::string& backend : device_backends()) {
    Particles p = ics::make("plummer", 1000, ics::Seed{5}).particles;
    p.position[10] = {1e9, 0, 0};
    GravityOptions o;
    o.leaf_size = 16, o.group_size = 64, o.eps = 0;
    OnDevice device(backend, p, o, build_tree(p, o).options);
    const auto groups = static_cast<std::size_t>(device.tree.groups().count);
    const std::vector<i32> first = downloaded<i32>(*device.device, device.tree.groups().first, groups + 1);
    EXPECT_EQ(first.front(), 0);
    EXPECT_EQ(first.back(), 1000);
    const std::vector<double> x = downloaded<double>(*device.device, device.particles.x[0], 1000);
    for (std::size_t g = 0; g < groups; ++g) {
      ASSERT_LT(first[g], first[g + 1]);
      EXPECT_EQ(first[g] / 64, (first[g + 1] - 1) / 64) << "over the end of a window";
      bool far = false;
      for (i32 i = first[g]; i < first[g + 1]; ++i) far = far || x[static_cast<std::size_t>(i)] > 1e8;
      if (far) {
        EXPECT_EQ(first[g + 1] - first[g], 1) << "the outlier is alone";
      }
    }
  }
}

void expect_ties_in_order(const std::string& backend, bool builds) {
  Particles p = ics::make("plummer", 600, ics::Seed{7}).particles;
  GravityOptions o;
  o.leaf_size = 16, o.group_size = 64, o.eps = 0;
  OnDevice device(backend, p, o, build_tree(p, o).options);
  std::vector<double> v(600);  // shows which particle it is
  const std::vector<u32> sorted = downloaded<u32>(*device.device, device.particles.input, 600);
  for (std::size_t i = 0; i < 600; ++i) v[i] = sorted[i];
  device.put(device.particles.v[0], v);
  // all particles move to one place, after a sort that has put them in another order
  device.put(device.particles.x[0], std::vector<double>(600, 0.5));
  device.put(device.particles.x[1], std::vector<double>(600, 0.5));
  device.put(device.particles.x[2], std::vector<double>(600, 0.5));
  const KeyCube cube = device.tree.bound(device.particles);
  device.tree.make_keys(device.particles, cube, HB_CURVE_HILBERT);
  device.tree.sort(600);
  device.tree.reorder(device.particles);
  device.tree.build(device.particles, cube, HB_CURVE_HILBERT, {16, HB_MOMENTS(2), {.size = 64}, !builds});
  device.tree.reorder_rest(device.particles);
  const std::vector<u32> input = downloaded<u32>(*device.device, device.particles.input, 600);
  v = downloaded<double>(*device.device, device.particles.v[0], 600);
  for (u32 i = 0; i < 600; ++i) ASSERT_TRUE(input[i] == i && v[i] == i) << i;
}

TEST(DeviceTree, TiesStandInTheOrderOfTheInputHoweverTheyCame) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  for (const std::string& backend : device_backends()) {
    for (const bool builds : {false, true}) expect_ties_in_order(backend, builds);
  }
}

}  // namespace
}  // namespace hornbeam::mixed
