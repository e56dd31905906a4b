// The calls to the system that the library makes, in a program's own words: some take only a part of the bytes, are interrupted
// or find nothing although there is something, and some fail for want of memory, descriptors or space. Nothing in here is an
// error that cannot happen, so nothing of it may lose a task.
#pragma once

namespace failing_calls {

struct Rates {
  unsigned harmless = 0;  // one in so many: short, EINTR, EAGAIN; 0: none
  unsigned costly = 0;    // one in so many: an error that ends a connection, or refuses one
  unsigned memory = 0;    // one in so many allocations of a thread within a call of the library fails
};
void begin(unsigned seed, Rates rates);
void end();
unsigned long happened();
unsigned long of_memory();  // of these

// Allocations fail only here: those of the test's own words must not.
extern thread_local bool in_library;
template <class F>
int calling(F&& call) {
  in_library = true;
  const int code = call();
  in_library = false;
  return code;
}

}  // namespace failing_calls
