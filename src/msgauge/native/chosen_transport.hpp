// The transport that a worker is compiled for (-DMSGAUGE_TRANSPORT=NAME), and the kernels that it is linked with.
#pragma once

// The transport comes first: a simulator may replace the system's clock, and its header says what is to stay real.
#define MSGAUGE_QUOTE(text) #text
#define MSGAUGE_QUOTED(text) MSGAUGE_QUOTE(text)
#include MSGAUGE_QUOTED(transports/MSGAUGE_TRANSPORT.hpp)

#include <string_view>
#include <vector>

#include "cell_kernel.hpp"

namespace msgauge {

namespace chosen_transport = transports::MSGAUGE_TRANSPORT;
using ChosenTransport = chosen_transport::Transport;
inline constexpr std::string_view chosen_name = MSGAUGE_QUOTED(MSGAUGE_TRANSPORT);

// In the order of kernels.inc (kernels.cpp).
const std::vector<KernelEntry<ChosenTransport>>& linked_kernels();

}  // namespace msgauge
