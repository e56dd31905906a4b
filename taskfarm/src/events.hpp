// Who an event of epoll is for: a connection by its slot, or one of the farm's own descriptors.
#pragma once

#include <sys/epoll.h>

#include <cstdint>

#include "failure.hpp"

namespace taskfarm {

inline constexpr std::uint64_t key_listener = 1ULL << 40, key_local_listener = key_listener + 1,
                               key_doorbell = key_listener + 2, key_notice = key_listener + 3,
                               key_ticker = key_listener + 4;

inline void watch(int epoll, int fd, std::uint64_t key, std::uint32_t events = EPOLLIN) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = key;
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) fail_system("epoll_ctl");
}

}  // namespace taskfarm
