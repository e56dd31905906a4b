// A connection that takes no tasks and is sent the statistics once a second.
#pragma once

#include <string>
#include <string_view>

#include "process.hpp"
#include "worker.hpp"

namespace taskfarm {

class Monitor {
 public:
  Monitor(const std::string& url, const WorkerOptions& options);
  tf_code next(std::int64_t timeout_ms, std::string_view& json);
  bool elsewhere() const { return made_here_.elsewhere(); }

 private:
  MadeHere made_here_;
  std::string url_;
  WorkerOptions options_;
  Connection connection_;
  std::string in_, text_;
};

}  // namespace taskfarm
