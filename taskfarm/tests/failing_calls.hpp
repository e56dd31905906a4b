// The calls to the system that the library makes, in a program's own words: some take only a part of the bytes, are interrupted or
// find nothing although there is something, and some fail for want of memory, descriptors or space. Nothing in here is an error
// that cannot happen, so nothing of it may lose a task.
#pragma once

namespace failing_calls {

struct Rates {
  unsigned harmless = 0;  // one in so many: short, EINTR, EAGAIN; 0: none
  unsigned costly = 0;    // one in so many: an error that ends a connection, or refuses one
};
void begin(unsigned seed, Rates rates);
void end();
unsigned long happened();

}  // namespace failing_calls
