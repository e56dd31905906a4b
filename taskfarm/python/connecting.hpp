// Connecting from Python: a coordinator is looked for up to half a minute, which Ctrl-C can end.
#pragma once

#include <nanobind/nanobind.h>

#include "exchange.hpp"
#include "taskfarm.h"
#include "worker.hpp"

namespace taskfarm_python {

namespace nb = nanobind;

// While this lives, a thread that connects looks after signals, where it is the one that does.
class SignalsWhileConnecting {
 public:
  SignalsWhileConnecting() {
    const nb::module_ threading = nb::module_::import_("threading");
    if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return;
    taskfarm::gives_up = [] {
      const nb::gil_scoped_acquire held;
      return PyErr_CheckSignals() != 0;
    };
  }
  SignalsWhileConnecting(const SignalsWhileConnecting&) = delete;
  ~SignalsWhileConnecting() { taskfarm::gives_up = nullptr; }
};

// connect() without the GIL. Raises what it came to, or what a signal's handler did meanwhile.
template <class F>
void connected(F&& connect) {
  int code;
  {
    const SignalsWhileConnecting signals;
    const Outside outside;
    code = connect();
  }
  if (code == TF_OK) return;
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  check_signals();
  raise(code, tf_error());
}

}  // namespace taskfarm_python
