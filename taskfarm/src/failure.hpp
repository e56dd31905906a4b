// Errors inside the library are one exception with a code of taskfarm.h; the C interface turns it into code and text.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "taskfarm.h"

namespace taskfarm {

class Failure : public std::runtime_error {
 public:
  Failure(tf_code code, const std::string& text) : std::runtime_error(text), code(code) {}
  tf_code code;
};

[[noreturn]] inline void fail_system(const std::string& what) {
  throw Failure(TF_SYSTEM, what + ": " + std::strerror(errno));
}

}  // namespace taskfarm
