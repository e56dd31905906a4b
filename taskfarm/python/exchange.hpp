// Between Python and the C interface: errors as exceptions, waits that Ctrl-C can end, bytes without a copy.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>

#include "taskfarm.h"

namespace taskfarm_python {

namespace nb = nanobind;

constexpr std::int64_t slice_ms = 200;  // how long a wait keeps Ctrl-C waiting

inline PyObject* error_type = nullptr;  // taskfarm.Error(code, text)

[[noreturn]] inline void raise(int code, const std::string& text) {
  nb::object error = nb::borrow(error_type)(code, text);
  PyErr_SetObject(error_type, error.ptr());
  throw nb::python_error();
}

inline int checked(int code) {
  if (code < 0) raise(code, tf_error());
  return code;
}

inline void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Calls body(timeout) without the GIL, in slices, until it says something else than TF_TIMEOUT or the time is over.
template <class F>
int patiently(std::int64_t timeout_ms, F&& body) {
  for (std::int64_t left = timeout_ms;;) {
    const std::int64_t part = left < 0 || left > slice_ms ? slice_ms : left;
    int code;
    {
      nb::gil_scoped_release release;
      code = body(part);
    }
    if (code != TF_TIMEOUT) return checked(code);
    check_signals();
    if (left >= 0 && (left -= part) <= 0) return TF_TIMEOUT;
  }
}

// The bytes of any object with the buffer protocol.
class View {
 public:
  explicit View(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  View(View&& other) noexcept : view_(other.view_) { other.view_.obj = nullptr; }
  View(const View&) = delete;
  ~View() { PyBuffer_Release(&view_); }
  const void* data() const { return view_.buf; }
  std::size_t size() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_{};
};

inline const char* or_null(const std::optional<std::string>& text) { return text ? text->c_str() : nullptr; }

}  // namespace taskfarm_python
