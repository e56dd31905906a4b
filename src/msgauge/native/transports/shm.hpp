// Processes of one host that share memory: the floor under every MPI's shared memory. Started by execution/local_launcher.py.
#pragma once

#include <string_view>

#include "shm_rings.hpp"
#include "streams.hpp"

namespace msgauge::transports::shm {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test sendrecv probe any_source any_tag";

using Transport = StreamTransport<Lines>;

template <class Body>
int launch(int, char**, Body body) {
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::shm
