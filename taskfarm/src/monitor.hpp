// A connection that takes no tasks and is sent the statistics once a second.
#pragma once

#include <string>
#include <string_view>

#include "worker.hpp"

namespace taskfarm {

class Monitor {
 public:
  Monitor(const std::string& url, const WorkerOptions& options);
  tf_code next(std::int64_t timeout_ms, std::string_view& json);

 private:
  WorkerOptions options_;
  Connection connection_;
  std::string in_, text_;
};

}  // namespace taskfarm
