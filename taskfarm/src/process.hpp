// A child that fork made has copies of all that its parent's farms and workers are: the same rings, the same socket file, but
// none of their threads. It must not do anything with them, not even end them.
#pragma once

#include <atomic>

namespace taskfarm {

// Goes up by one in each child: a load where getpid would be a call to the system.
extern std::atomic<unsigned> forks_before_this_process;

// A member of what belongs to the process that made it.
class MadeHere {
 public:
  MadeHere();
  bool elsewhere() const { return forks_ != forks_before_this_process.load(std::memory_order_relaxed); }
  // Raises Failure in a child: "this farm belongs to the process that made it ...".
  void need(const char* what) const {
    if (elsewhere()) refuse(what);
  }

 private:
  [[noreturn]] static void refuse(const char* what);
  unsigned forks_;
};

}  // namespace taskfarm
