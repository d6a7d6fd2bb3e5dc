// SPDX-License-Identifier: Apache-2.0
// Sockets that child processes do not keep: the port is free and connections end once this process closes them.
#pragma once

#include <sys/types.h>

#include <functional>

namespace hornbeam::view {

/// While it lives, fork closes the socket in the child. It is also closed where another program is started. It should
/// outlive the socket: a descriptor that has become something else is left alone.
class OwnSocket {
 public:
  /// open: opens the socket and returns its descriptor, or -1 if there is none. No fork comes between it and the list.
  explicit OwnSocket(const std::function<int()>& open);
  ~OwnSocket();
  OwnSocket(const OwnSocket&) = delete;
  OwnSocket& operator=(const OwnSocket&) = delete;

 private:
  int descriptor_ = -1;
  ino_t inode_ = 0;
};

}  // namespace hornbeam::view
