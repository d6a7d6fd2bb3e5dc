// SPDX-License-Identifier: Apache-2.0
// The live view of a simulation in memory, as Python holds it: src/view/ serves it, simulation.cpp hands copies over.
#pragma once

#include <unistd.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "view/live_source.h"
#include "view/server.h"

namespace hornbeam::python {

class ServedView {
 public:
  ServedView(std::shared_ptr<view::LiveSource> source, const view::ServerOptions& options)
      : source_(std::move(source)), server_(std::make_unique<view::Server>(source_, options)), url_(server_->url()) {}
  ~ServedView() { close(); }
  ServedView(const ServedView&) = delete;
  ServedView& operator=(const ServedView&) = delete;

  [[nodiscard]] view::LiveSource& source() { return *source_; }
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] bool is_open() const {
    const std::scoped_lock lock(mutex_);
    return server_ != nullptr && process_ == ::getpid();  // a forked child has no server
  }
  /// Waits for answers that are being made; steps that wait go on.
  void close() {
    const std::scoped_lock lock(mutex_);
    source_->end();
    server_.reset();
  }

 private:
  std::shared_ptr<view::LiveSource> source_;
  mutable std::mutex mutex_;  ///< of the server
  std::unique_ptr<view::Server> server_;
  std::string url_;
  const pid_t process_ = ::getpid();
};

}  // namespace hornbeam::python
