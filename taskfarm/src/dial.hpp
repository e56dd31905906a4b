// A connection that is being made, over several calls if need be: who waits for it has other things to do meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookup.hpp"
#include "socket.hpp"

namespace taskfarm {

class Dial {
 public:
  explicit Dial(const Url& url, bool only_loopback = false);  // begins to look the host's name up

  // Connected and blocking; not open when `until_ns` came first. Raises Failure when nobody listens at any of the addresses (yet), or
  // (TF_SECURITY) when one is no loopback address and must be.
  Descriptor wait(std::int64_t until_ns);
  bool looks_up() const { return lookup_.has_value(); }  // still

 private:
  void take_addresses();
  void try_next();
  Descriptor taken();

  Url url_;
  bool only_loopback_;
  std::optional<Lookup> lookup_;  // until the addresses are there
  std::vector<Address> addresses_;
  std::size_t next_ = 0;
  Descriptor fd_;
  bool connected_ = false;
  std::int64_t goes_on_ns_ = 0;  // to the next address, since the host of this one does not answer
  int reason_ = 0;
};

}  // namespace taskfarm
