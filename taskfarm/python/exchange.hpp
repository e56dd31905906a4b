// Between Python and the C interface: errors as exceptions, waits that Ctrl-C can end, bytes without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "taskfarm.h"

namespace taskfarm_python {

namespace nb = nanobind;

constexpr std::int64_t slice_ms = 200;  // how long a wait keeps Ctrl-C waiting

inline PyObject* error_type = nullptr;  // taskfarm.Error(code, text)

[[noreturn]] inline void raise(int code, const std::string& text) {
  // A file's name, or what the other side refuses with, may be any bytes.
  const auto bytes = static_cast<Py_ssize_t>(text.size());
  const nb::object told = nb::steal(PyUnicode_DecodeUTF8(text.data(), bytes, "replace"));
  nb::object error = nb::borrow(error_type)(code, told);
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

// A thread that comes back to Python when the interpreter ends is ended there, by pthread_exit, and what that unwinds is C++
// which lets nothing pass: the process would be aborted. Such a thread (a daemon of threading) stays where it is, as it does in
// Python 3.14, until the process is over; it leaves first what others may wait for.
template <class Leave, class F>
auto or_stay(Leave&& leave, F&& call) {
  struct Stay {
    Leave& leave;
    bool back = false;
    ~Stay() {
      if (back) return;
      leave();
      for (;;) ::pause();
    }
  } stay{leave};
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    stay.back = true;
  } else {
    auto result = call();
    stay.back = true;
    return result;
  }
}

// Without the GIL, inside a call of the library or, without one, where nobody waits for this thread.
class Outside {
 public:
  Outside() = default;
  template <class Use>
  explicit Outside(Use& use) : use_(&use), leave_([](void* of) { static_cast<Use*>(of)->pause(); }) {}
  Outside(const Outside&) = delete;
  ~Outside() {
    or_stay([this] { leave_(use_); }, [this] { PyEval_RestoreThread(state_); });
  }

 private:
  void* use_ = nullptr;
  void (*leave_)(void*) = [](void*) {};
  PyThreadState* state_ = PyEval_SaveThread();
};

// A handle of the library, and how many calls are inside it: who ends it waits for them, since ending frees it. Everything
// here happens with the GIL but that wait, and what the calls do.
template <class T>
class Handle {
 public:
  explicit Handle(const char* ended) : ended_(ended) {}
  T** place() { return &pointer_; }

  // One call inside. What it got of the library is there until its end.
  class Use {
   public:
    explicit Use(Handle& handle) : handle_(handle) {
      if (!again()) raise(TF_CLOSED, handle.ended_);
    }
    Use(const Use&) = delete;
    ~Use() { pause(); }
    T* get() const { return pointer_; }
    // Between two calls of the library, where another thread, or a handler of a signal in this one, may end the handle.
    void pause() {
      if (std::exchange(pointer_, nullptr) == nullptr) return;
      if (handle_.users_.fetch_sub(1) == 1) handle_.users_.notify_all();
    }
    bool again() {
      pointer_ = handle_.pointer_;
      if (pointer_ != nullptr) handle_.users_.fetch_add(1);
      return pointer_ != nullptr;
    }

   private:
    Handle& handle_;
    T* pointer_ = nullptr;
  };

  // Nobody else has it, and nobody else gets it. Null when it has been taken before, and in a child of fork: it is the
  // parent's, whose threads inside it the child waits for in vain.
  T* take() {
    T* taken = std::exchange(pointer_, nullptr);
    if (getpid() != owner_) return nullptr;
    const Outside outside;
    for (int users; (users = users_.load()) != 0;) users_.wait(users);
    return taken;
  }

 private:
  const char* ended_;
  T* pointer_ = nullptr;
  std::atomic<int> users_{0};
  const pid_t owner_ = getpid();
};

// Calls body(timeout) without the GIL, in slices, until it says something else than TF_TIMEOUT or the time is over; TF_CLOSED
// when the handle has been ended between two slices.
template <class Use, class F>
int patiently(Use& use, std::int64_t timeout_ms, F&& body) {
  for (std::int64_t left = timeout_ms;;) {
    const std::int64_t part = left < 0 || left > slice_ms ? slice_ms : left;
    int code;
    {
      const Outside outside(use);
      code = body(part);
    }
    if (code != TF_TIMEOUT) return checked(code);
    use.pause();
    check_signals();
    if (!use.again()) return TF_CLOSED;
    if (left >= 0 && (left -= part) <= 0) return TF_TIMEOUT;
  }
}

// A submit that says TF_AGAIN for want of time: TF_TIMEOUT. One that says it sooner knows that waiting does not help.
template <class F>
int submitted_within(std::int64_t part_ms, F&& submit) {
  const auto begun = std::chrono::steady_clock::now();
  const int code = submit();
  const bool waited = std::chrono::steady_clock::now() - begun >= std::chrono::milliseconds(part_ms);
  return code == TF_AGAIN && waited ? int{TF_TIMEOUT} : code;
}

// set(name, value) for each option; a value of another kind, or out of range, is told by the option's name.
template <class F>
void each_option(const nb::dict& given, const char* of, F&& set) {
  for (auto [key, value] : given) {
    if (!PyUnicode_Check(key.ptr())) {
      const std::string text = nb::repr(key).c_str();
      throw nb::type_error((std::string(of) + " options are named by text, and not by " + text).c_str());
    }
    const auto name = nb::cast<std::string>(key);
    try {
      set(name, value);
    } catch (const nb::cast_error&) {
      const auto text = nb::cast<std::string>(nb::repr(value));
      raise(TF_INVALID, std::string(of) + " option " + name + ": " + text + " is of another kind, or out of range");
    }
  }
}

// The text of an option; of a file it may be a path as Python has them.
inline std::string text_of(nb::handle value) {
  const nb::object text = nb::steal(PyOS_FSPath(value.ptr()));
  if (!text.is_valid()) {
    PyErr_Clear();
    throw nb::cast_error();
  }
  const bool is_text = PyUnicode_Check(text.ptr()) != 0;  // whose file may have a name of any bytes
  const nb::object bytes = is_text ? nb::steal(PyUnicode_EncodeFSDefault(text.ptr())) : text;
  if (!bytes.is_valid()) {
    PyErr_Clear();
    throw nb::cast_error();
  }
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

// Of a socket file whose folder may have a name of any bytes.
inline std::string address_of(nb::handle url) {
  if (PyUnicode_Check(url.ptr())) return text_of(url);
  throw nb::type_error(("url=" + std::string(nb::repr(url).c_str()) + ": give text such as 'tcp://127.0.0.1:0'").c_str());
}

inline nb::object as_python_text(const std::string& address) {
  const auto bytes = static_cast<Py_ssize_t>(address.size());
  nb::object text = nb::steal(PyUnicode_DecodeFSDefaultAndSize(address.data(), bytes));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

// In milliseconds; one that the interface cannot hold is refused, and not cut.
inline std::uint32_t deadline_of(nb::handle given) {
  int beyond = 0;
  const long long ms = PyLong_AsLongLongAndOverflow(given.ptr(), &beyond);
  if (ms == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (beyond == 0 && ms >= 0 && ms <= UINT32_MAX) return static_cast<std::uint32_t>(ms);
  const auto text = nb::cast<std::string>(nb::repr(given));
  raise(TF_INVALID, "deadline_ms=" + text + " is not within 0 (none) to 4294967295 (49 days)");
}

// Counts from the call of Python, however often that calls C while it waits.
class Deadline {
 public:
  explicit Deadline(std::uint32_t ms) : ms_(ms) {}
  std::uint32_t left_ms() const {  // 0: none
    if (ms_ == 0) return 0;
    const auto gone = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun_).count();
    return gone < ms_ ? ms_ - static_cast<std::uint32_t>(gone) : 1;
  }

 private:
  std::uint32_t ms_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

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

// For the C interface, where a zero byte ends a text: what stands behind one would be left out, and the key be another.
inline const char* whole(const std::string& text) {
  const auto end = text.find('\0');
  if (end != text.npos) raise(TF_INVALID, "there is a zero byte in '" + text.substr(0, end) + "...'");
  return text.c_str();
}

inline const char* or_null(const std::optional<std::string>& text) { return text ? whole(*text) : nullptr; }

}  // namespace taskfarm_python
