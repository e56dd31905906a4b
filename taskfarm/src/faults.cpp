// What fails in the middle of the loop's work, above all memory: it costs one connection, never a task, and the loop goes on.
#include <sys/socket.h>

#include "farm.hpp"

namespace taskfarm {

// Nobody knows how far the work for this peer came, so its connection is of no use. It is lost as one that ended by itself:
// the loop hears of it at once, and again each turn should memory be short for that, too.
void Farm::break_off(Peer& peer) noexcept {
  orphans_ = true;
  if (peer.over()) return;
  if (peer.worker != nullptr) {
    peer.state = Peer::State::broken;
    ::shutdown(peer.fd.get(), SHUT_RDWR);
    return;
  }
  if (peer.state != Peer::State::monitor) ++counts_.refused;
  half_open_.remove(&peer);
  close_peer(peer);
}

// A task whose answer had been taken, or whose worker been lost, when something failed: no window holds it, no queue either.
void Farm::find_orphans() {
  tasks_.each([this](std::uint64_t id, Task& task) {
    if (task.state == Task::State::assigned && task.copies == 0) settle(id, task, "no memory for what it answered");
  });
  if (options_.ordered != 0) make_ready();
  orphans_ = false;
}

}  // namespace taskfarm
