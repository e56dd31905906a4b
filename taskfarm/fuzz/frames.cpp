// A stream of bytes as a worker could send it: cut into pieces by its first byte, parsed as the coordinator does.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "frame.hpp"

using namespace taskfarm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  if (bytes < 1) return 0;
  const std::size_t step = 1 + data[0] % 64, limit = 512;
  std::string buffer;
  std::size_t taken = 0;
  for (std::size_t i = 1; i < bytes; i += step) {
    buffer.append(reinterpret_cast<const char*>(data) + i, std::min(step, bytes - i));
    const char* at = buffer.data();
    const char* const end = at + buffer.size();
    Frame frame;
    Parsed parsed;
    while ((parsed = take_frame(at, end, limit, frame)) == Parsed::frame) {
      if (frame.header.length > limit || frame.payload + frame.header.length > end) std::abort();
      for (const char c : frame.view()) taken += static_cast<unsigned char>(c);  // every byte can be read
    }
    if (parsed != Parsed::incomplete) return 0;
    buffer.erase(0, static_cast<std::size_t>(at - buffer.data()));
    if (buffer.size() >= header_bytes + limit) std::abort();  // what waits for its rest is bounded
  }
  return taken == 0x7fffffff ? 1 : 0;
}
