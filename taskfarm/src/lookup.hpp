// A host's name that is being looked up, by a thread of its own: a name server may be silent for half a minute, and who waits
// has a time to keep.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "socket.hpp"

namespace taskfarm {

class Lookup {
 public:
  // Begins; what needs no name server is there at once. Raises Failure when that fails.
  explicit Lookup(const Url& url);

  // Whether the addresses are there by `until_ns`. Raises Failure when the name is not known (yet).
  bool wait(std::int64_t until_ns);
  std::vector<Address> taken();  // once

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread, which nobody waits for: it may outlive all that wanted the name
};

// Waits for them, and not for ever. Raises Failure when the name is not known, or nobody has told so long.
std::vector<Address> addresses_within(const Url& url, std::int64_t patience_ns);

}  // namespace taskfarm
