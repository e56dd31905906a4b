// A connection that is being made, over several calls if need be: who waits for it has other things to do meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "socket.hpp"

namespace taskfarm {

class Dial {
 public:
  explicit Dial(const Url& url);  // looks the host's name up

  // Connected and blocking; not open when `until_ns` came first. Raises Failure when nobody listens at any of the addresses (yet).
  Descriptor wait(std::int64_t until_ns);

 private:
  void try_next();
  Descriptor taken();

  std::vector<Address> addresses_;
  std::size_t next_ = 0;
  Descriptor fd_;
  bool connected_ = false;
  std::int64_t goes_on_ns_ = 0;  // to the next address, since the host of this one does not answer
  int reason_ = 0;
};

}  // namespace taskfarm
