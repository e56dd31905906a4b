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

// The name of a file that need not be given. An empty one, say of a variable that is not set, is none that was left out: without
// its key or journal the farm would be another than the one that was asked for.
inline std::string optional_file(const char* given, const char* option) {
  if (given == nullptr) return {};
  if (*given == 0) throw Failure(TF_INVALID, std::string("option ") + option + " is an empty name; leave it out for none");
  return given;
}

// One word of a command that an error tells, whatever is in it.
inline std::string for_shell(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace taskfarm
