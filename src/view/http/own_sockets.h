// SPDX-License-Identifier: Apache-2.0
// Sockets that child processes do not keep: the port is free and connections end once this process closes them.
#pragma once

#include <sys/types.h>

namespace hornbeam::view {

/// While it lives, fork closes the socket in the child. It is also closed where another program is started.
class OwnSocket {
 public:
  explicit OwnSocket(int descriptor);
  ~OwnSocket();
  OwnSocket(const OwnSocket&) = delete;
  OwnSocket& operator=(const OwnSocket&) = delete;

 private:
  int descriptor_;
  ino_t inode_;
};

}  // namespace hornbeam::view
