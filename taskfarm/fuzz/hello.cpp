// What is believed before anybody is known: hello and welcome. What decodes must survive being encoded again.
#include <cstdlib>

#include "hello.hpp"

using namespace taskfarm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string_view text(reinterpret_cast<const char*>(data), bytes);
  if (const auto hello = decode_hello(text)) {
    const auto again = decode_hello(encode(*hello));
    if (!again || again->name != hello->name.substr(0, 255) || again->identity != hello->identity) std::abort();
    for (const char c : hello->name)
      if (c < ' ' || c == '"' || c == '\\') std::abort();
  }
  if (const auto welcome = decode_welcome(text)) {
    const auto again = decode_welcome(encode(*welcome));
    if (!again || again->local_name != welcome->local_name) std::abort();
  }
  return 0;
}
