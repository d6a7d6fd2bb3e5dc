// SPDX-License-Identifier: Apache-2.0
// The writer's thread and its queue, see writer.h.
#include "run/folder/writer.h"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

namespace hornbeam::run {
namespace {

/// Signals of others are for the threads that were there before; a fault stays with the thread that made it.
sigset_t signals_of_others() {
  sigset_t set;
  sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) sigdelset(&set, fault);
  return set;
}

}  // namespace

Writer::Writer(bool beside) {
  if (!beside) return;
  const sigset_t others = signals_of_others();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &others, &before);  // the new thread begins as this one is
  try {
    thread_ = std::thread([this, threads = omp_get_max_threads()] {
      omp_set_num_threads(threads);  // its loops take as many as those of the thread that gives
      serve();
    });
  } catch (const std::system_error&) {  // no thread to be had
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Writer::~Writer() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::size_t Writer::copies() const {
  return static_cast<std::size_t>(
      std::count_if(waiting_.begin(), waiting_.end(), [](const Task& task) { return task.has_copy; }));
}

void Writer::make_room() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return copies() < most_copies; });
  }
  look();
}

void Writer::give(std::function<void()> work, std::function<void()> done, bool has_copy) {
  look();
  {
    std::unique_lock lock(mutex_);
    waiting_.push_back({std::move(work), std::move(done), has_copy});
    if (!is_beside()) work_off(lock);
  }
  changed_.notify_all();
  if (!is_beside()) look();
}

void Writer::look() {
  std::vector<std::function<void()>> done;
  std::exception_ptr failure;
  {
    const std::scoped_lock lock(mutex_);
    done.swap(done_);
    failure = failure_;
  }
  for (const auto& tell : done) tell();
  if (failure) std::rethrow_exception(failure);
}

void Writer::finish() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty(); });
  }
  look();
}

double Writer::seconds() const {
  const std::scoped_lock lock(mutex_);
  return seconds_;
}

void Writer::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    work_off(lock);
    changed_.notify_all();
  }
}

/// The first that waits, without the lock while it works.
void Writer::work_off(std::unique_lock<std::mutex>& lock) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  std::function<void()> work = std::move(waiting_.front().work);
  std::exception_ptr failure;
  lock.unlock();
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  work = nullptr;  // and with it the copy
  lock.lock();
  seconds_ += std::chrono::duration<double>(Clock::now() - began).count();
  if (failure) {
    failure_ = failure;
    waiting_.clear();  // what comes after a file says that the file is there
    return;
  }
  if (waiting_.front().done) done_.push_back(std::move(waiting_.front().done));
  waiting_.pop_front();
}

}  // namespace hornbeam::run
