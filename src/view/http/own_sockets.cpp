// SPDX-License-Identifier: Apache-2.0
// The list of sockets that a forked child closes, see own_sockets.h.
#include "view/http/own_sockets.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace hornbeam::view {
namespace {

/// 0 if it is no socket. Sockets have numbers of their own, by which they are known if the descriptor has been closed
/// and taken for something else.
ino_t inode_of(int descriptor) {
  struct stat found {};
  return ::fstat(descriptor, &found) == 0 && S_ISSOCK(found.st_mode) ? found.st_ino : 0;
}

struct List {
  std::mutex mutex;
  std::vector<std::pair<int, ino_t>> sockets;
};

/// It is never destroyed, since a process may fork while it ends.
List& list() {
  static List& one = *new List;
  return one;
}

void before_fork() { list().mutex.lock(); }
void in_parent() { list().mutex.unlock(); }
void in_child() {
  for (const auto& [descriptor, inode] : list().sockets) {
    if (inode != 0 && inode_of(descriptor) == inode) ::close(descriptor);
  }
  list().sockets.clear();
  list().mutex.unlock();
}

}  // namespace

OwnSocket::OwnSocket(const std::function<int()>& open) {
  static std::once_flag once;
  std::call_once(once, [] { ::pthread_atfork(before_fork, in_parent, in_child); });
  const std::scoped_lock lock(list().mutex);
  list().sockets.reserve(list().sockets.size() + 1);  // what is open must not fail to be listed
  descriptor_ = open();
  if (descriptor_ < 0) return;
  inode_ = inode_of(descriptor_);
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
  list().sockets.emplace_back(descriptor_, inode_);
}

OwnSocket::~OwnSocket() {
  const std::scoped_lock lock(list().mutex);
  auto& sockets = list().sockets;
  const auto found = std::find(sockets.begin(), sockets.end(), std::pair(descriptor_, inode_));
  if (found != sockets.end()) sockets.erase(found);
}

}  // namespace hornbeam::view
