// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_stamps.h"

#include "hornbeam/error.h"

namespace hornbeam {

OpenClStamps::OpenClStamps(OpenClContext& context) : context_(context), device_clock_(markers_have_times()) {}

OpenClStamps::~OpenClStamps() {
  for (cl_event event : events_) {
    if (event != nullptr) context_.calls().clReleaseEvent(event);
  }
}

// Drivers differ: some refuse times of markers, some answer 0.
bool OpenClStamps::markers_have_times() {
  cl_event events[2] = {context_.mark(), context_.mark()};
  context_.finish();
  cl_ulong times[2] = {};
  const bool answered = time_of(events[0], &times[0]) == CL_SUCCESS && time_of(events[1], &times[1]) == CL_SUCCESS;
  for (cl_event event : events) context_.calls().clReleaseEvent(event);
  return answered && times[0] > 0 && times[1] >= times[0];
}

cl_int OpenClStamps::time_of(cl_event event, cl_ulong* nanoseconds) const {
  return context_.calls().clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), nanoseconds,
                                                  nullptr);
}

std::size_t OpenClStamps::slot_of(int stamp) const {
  if (stamp < 0 || stamp >= next_ || stamp < next_ - remembered) {
    throw Error("stamp " + std::to_string(stamp),
                "the last " + std::to_string(remembered) + " of " + std::to_string(next_) + " are remembered");
  }
  return static_cast<std::size_t>(stamp % remembered);
}

int OpenClStamps::stamp() {
  const auto slot = static_cast<std::size_t>(next_ % remembered);
  if (device_clock_) {
    cl_event event = context_.mark();
    if (events_[slot] != nullptr) context_.calls().clReleaseEvent(events_[slot]);
    events_[slot] = event;
  } else {
    context_.finish();
    times_[slot] = Clock::now();
  }
  return next_++;
}

double OpenClStamps::seconds(int from, int to) {
  const std::size_t first = slot_of(from), last = slot_of(to);
  if (!device_clock_) return std::chrono::duration<double>(times_[last] - times_[first]).count();
  const cl_event events[2] = {events_[first], events_[last]};
  context_.check(context_.calls().clFlush(context_.queue()), "clFlush");
  context_.check(context_.calls().clWaitForEvents(2, events), "clWaitForEvents");
  cl_ulong start = 0, end = 0;
  context_.check(time_of(events[0], &start), "clGetEventProfilingInfo");
  context_.check(time_of(events[1], &end), "clGetEventProfilingInfo");
  return 1e-9 * (static_cast<double>(end) - static_cast<double>(start));
}

}  // namespace hornbeam
