// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_device.h"

#include <array>
#include <map>
#include <optional>

#include "device/kernels/sizes.h"
#include "device/opencl/embedded.h"
#include "device/opencl/opencl_sort.h"
#include "device/opencl/opencl_stamps.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

constexpr std::size_t block = HB_BLOCK, warp = HB_WARP;
constexpr int plain = -1, pairs = -2, hierarchy = -3;  // in place of an order of expansions

#define HB_KERNEL_NAME(name) #name,
constexpr const char* kernel_names[] = {HB_ALL_KERNELS(HB_KERNEL_NAME, HB_KERNEL_NAME)};
#undef HB_KERNEL_NAME

/// The program that holds a kernel: an order of expansions, `plain`, `pairs`, or `hierarchy` less an order.
int program_of(Kernel kernel, KernelVariant variant) {
  const int index = static_cast<int>(kernel);
  if (index < plain_kernel_count) return plain;
  if (index < plain_kernel_count + expansion_kernel_count) return variant.expansion;
  const bool is_pair = index < plain_kernel_count + expansion_kernel_count + pair_kernel_count;
  return is_pair ? pairs : hierarchy - variant.expansion;
}

cl_mem memory_of(const Buffer& buffer) { return static_cast<cl_mem>(buffer.handle()); }

/// PoCL keeps programs on disk by itself, and would compile all kernels of one for its binary, wanted or not: minutes.
std::filesystem::path cache_folder(const OpenClDescription& d) {
  return d.platform_name == "Portable Computing Language" ? std::filesystem::path() : default_cache_folder();
}

class OpenClDevice final : public Device {
 public:
  explicit OpenClDevice(const OpenClDescription& description)
      : calls_(load_opencl()),
        context_(calls_, description),
        builder_(context_, cache_folder(description)),
        stamps_(context_) {}

  [[nodiscard]] std::string backend() const override { return "opencl"; }
  [[nodiscard]] std::string description() const override { return describe(context_.description()); }
  [[nodiscard]] std::uint64_t memory_bytes() const override { return context_.description().memory_bytes; }
  [[nodiscard]] std::uint64_t free_bytes() const override { return memory_bytes() - context_.allocated_bytes(); }
  [[nodiscard]] bool shares_host_memory() const override { return context_.description().is_processor(); }
  [[nodiscard]] std::uint64_t largest_buffer() const override { return context_.description().largest_allocation; }
  [[nodiscard]] bool has(Precision precision) const override {
    return precision == Precision::single || context_.description().fp64;
  }

  void* allocate(std::size_t bytes) override { return context_.allocate(bytes); }
  void release(void* handle) noexcept override { context_.release(static_cast<cl_mem>(handle)); }
  void upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
    context_.upload(memory_of(to), offset, from, bytes);
  }
  void download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
    context_.download(to, memory_of(from), offset, bytes);
  }
  void begin_fetch(const Buffer& from, std::size_t bytes) override { context_.begin_fetch(memory_of(from), bytes); }
  void end_fetch(void* to, std::size_t bytes) override { context_.end_fetch(to, bytes); }
  void clear(const Buffer& buffer, std::size_t bytes) override { context_.clear(memory_of(buffer), bytes); }
  void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override {
    context_.copy(memory_of(to), memory_of(from), bytes);
  }

  int sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                 DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                 int begin, int end) override {
    sorter().sort_pairs(keys, spare_keys, values, spare_values, n, begin, end);
    return begin;
  }
  void exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) override {
    sorter().exclusive_scan(values, n);
  }

  int stamp() override { return stamps_.stamp(); }
  double seconds(int from, int to) override { return stamps_.seconds(from, to); }

  static std::string describe(const OpenClDescription& d) {
    return d.name + ", " + d.platform_name + " " + d.driver_version;
  }

  void start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) override {
    run(kernel, variant, (items + block - 1) / static_cast<std::int64_t>(block), block, arguments);
  }
  void start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) override {
    run(kernel, variant, warps, warp, arguments);
  }

 private:
  void run(Kernel kernel, KernelVariant variant, std::int64_t groups, std::size_t size, const Arguments& arguments) {
    const char* name = kernel_names[static_cast<int>(kernel)];
    OpenClProgram& built = program(variant.precision, program_of(kernel, variant));
    context_.launch(built.kernel(name), name, groups, size, arguments);
  }

  OpenClProgram& program(Precision precision, int number) {
    std::unique_ptr<OpenClProgram>& slot = programs_[{precision, number}];
    if (slot == nullptr) {
      if (!has(precision))
        throw Error(context_.description().name, "has no double precision", "use precision = single");
      const std::string part = number == plain       ? "-DHB_PLAIN"
                               : number == pairs     ? "-DHB_PAIRS"
                               : number <= hierarchy ? "-DHB_HIERARCHY=" + std::to_string(hierarchy - number)
                                                     : "-DHB_EXPANSION=" + std::to_string(number);
      const char* ptx = context_.description().platform_name == "NVIDIA CUDA" ? " -DHB_PTX" : "";
      const std::string options = "-DHB_PRECISION=" + std::to_string(static_cast<int>(precision)) + " " + part + ptx;
      slot = built("the kernels of precision " + std::string(name(precision)), pipeline_kernels, options);
    }
    return *slot;
  }

  /// A program that another device of this process has built, otherwise one built now.
  std::unique_ptr<OpenClProgram> built(const std::string& name, std::string (*source)(), const std::string& options) {
    DriverContext& driver = context_.driver();
    const std::lock_guard lock(driver.building);
    BuiltProgram& known = driver.programs[name + options];
    if (known != nullptr) return std::make_unique<OpenClProgram>(context_, known);
    std::unique_ptr<OpenClProgram> program = builder_.build(name, source(), options);
    known = program->built();
    return program;
  }

  OpenClSorter& sorter() {
    if (!sorter_) {
      sort_program_ = built("sort", sort_kernels, "");
      sorter_.emplace(*this, context_, *sort_program_);
    }
    return *sorter_;
  }

  OpenClCalls calls_;
  OpenClContext context_;
  OpenClBuilder builder_;
  OpenClStamps stamps_;
  std::map<std::pair<Precision, int>, std::unique_ptr<OpenClProgram>> programs_;
  std::unique_ptr<OpenClProgram> sort_program_;
  std::optional<OpenClSorter> sorter_;
};

}  // namespace

std::vector<DeviceInfo> list_opencl_devices() {
  std::vector<DeviceInfo> list;
  for (const OpenClDescription& d : describe_opencl_devices(load_opencl())) {
    DeviceInfo info;
    info.backend = "opencl";
    info.device = OpenClDevice::describe(d);
    info.threads = static_cast<int>(d.compute_units);
    info.memory_bytes = d.memory_bytes;
    list.push_back(info);
  }
  return list;
}

std::unique_ptr<Device> open_opencl_device(int index) {
  const OpenClCalls calls = load_opencl();
  if (!calls.present()) throw NoDevice("backend = opencl", calls.missing, "install a loader, or use cpu or auto");
  const std::vector<OpenClDescription> found = describe_opencl_devices(calls);
  if (found.empty()) throw NoDevice("backend = opencl", "no OpenCL driver found a device", "use cpu or auto");
  if (index < 0 || static_cast<std::size_t>(index) >= found.size()) {
    throw NoDevice("device = " + std::to_string(index),
                   "OpenCL has devices 0 to " + std::to_string(found.size() - 1) + " here", "see hornbeam info");
  }
  const OpenClDescription& chosen = found[static_cast<std::size_t>(index)];
  if (chosen.largest_group < block) {
    throw NoDevice("device = " + std::to_string(index),
                   chosen.name + " allows work groups of at most " + std::to_string(chosen.largest_group) +
                       " items, and " + std::to_string(block) + " are needed",
                   "use another device");
  }
  return std::make_unique<OpenClDevice>(chosen);
}

}  // namespace hornbeam
