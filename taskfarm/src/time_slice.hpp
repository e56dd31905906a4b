// The time that a thread wants to run without a break when it shares its core, as Linux takes it since 6.12. Who asks for
// little comes sooner, as often as it takes to have the same share; who gives way waits until the others had their slices.
#pragma once

#include <cstdint>

namespace taskfarm {

inline constexpr std::int64_t least_slice_ns = 100'000;  // the kernel's own bound

// For the calling thread, unless it has a policy of its own. The least is taken as it is, a longer one only if it is longer than
// what the thread has; a refusal changes nothing.
void ask_for_slice(std::int64_t ns);
void give_slice_back();  // what the calling thread had before it asked

// Many on a core want long turns, so that the coordinator, who asks for the least, has several in one round of theirs.
std::int64_t slice_of_worker(std::uint64_t ranks, unsigned cores);

}  // namespace taskfarm
