// Options of workers and monitors, as Python gives them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <string>

#include "exchange.hpp"
#include "taskfarm.h"

namespace taskfarm_python {

struct WorkerSettings {
  tf_worker_options options;
  std::optional<std::string> name, key_file, certificate_file, certificate_key_file, ca_file;
  tf_worker_options* fill() {
    options.name = or_null(name);
    options.key_file = or_null(key_file);
    options.certificate_file = or_null(certificate_file);
    options.certificate_key_file = or_null(certificate_key_file);
    options.ca_file = or_null(ca_file);
    return &options;
  }
};

inline WorkerSettings settings_of(const nb::dict& given) {
  WorkerSettings s;
  tf_worker_options_init(&s.options);
  each_option(given, "worker", [&s](const std::string& key, nb::handle value) {
    const auto text = [&] { return value.is_none() ? std::nullopt : std::optional(text_of(value)); };
    if (key == "name") s.name = text();
    else if (key == "key_file") s.key_file = text();
    else if (key == "certificate_file") s.certificate_file = text();
    else if (key == "certificate_key_file") s.certificate_key_file = text();
    else if (key == "ca_file") s.ca_file = text();
    else if (key == "connect_timeout_ms") s.options.connect_timeout_ms = nb::cast<std::uint32_t>(value);
    else if (key == "reconnect_timeout_ms") s.options.reconnect_timeout_ms = nb::cast<std::uint32_t>(value);
    else if (key == "lost_exit_ms") s.options.lost_exit_ms = nb::cast<std::uint32_t>(value);
    else if (key == "shared_memory") s.options.shared_memory = nb::cast<std::uint32_t>(value);
    else if (key == "spin_us") s.options.spin_us = nb::cast<std::int32_t>(value);
    else if (key == "max_frame_bytes") s.options.max_frame_bytes = nb::cast<std::uint64_t>(value);
    else raise(TF_INVALID, "unknown worker option: " + key);
  });
  return s;
}

}  // namespace taskfarm_python
