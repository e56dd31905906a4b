// Results on their way to Python. What tf_next gave is kept until all of it is there: an exception on the way, for want of
// memory or raised by a signal's handler, loses none.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "taskfarm.h"

namespace taskfarm_python {

namespace nb = nanobind;

class Results {
 public:
  // next(places, how many, count) as tf_next; it is not asked while there are some of the last time.
  template <class F>
  int fetch(std::size_t wanted, F&& next) {
    if (given_ < count_) return TF_OK;
    const std::size_t most = std::min(wanted, most_at_once);
    places_.resize(std::max<std::size_t>(most, 1));
    given_ = count_ = 0;
    return next(places_.data(), most, &count_);
  }

  // Up to `most` as a list.
  nb::list list(std::size_t most) {
    nb::list out;
    const std::size_t end = given_ + std::min(most, count_ - given_);
    for (std::size_t i = given_; i < end; ++i) out.append(as_tuple(places_[i]));
    given_ = end;
    return out;
  }

  // Each goes behind `taken` as (sink, result), and its sink out of `sinks`; where nobody wants it, it goes nowhere. How many
  // there were.
  std::size_t deliver(nb::dict sinks, nb::handle taken) {
    const nb::object append = taken.attr("append");
    const std::size_t first = given_;
    for (; given_ < count_; ++given_) {
      const nb::tuple result = as_tuple(places_[given_]);
      const nb::object id = result[0];
      const nb::object sink = nb::borrow(PyDict_GetItemWithError(sinks.ptr(), id.ptr()));
      if (!sink.is_valid()) continue;
      append(nb::make_tuple(sink, result));
      if (PyDict_DelItem(sinks.ptr(), id.ptr()) != 0) PyErr_Clear();  // a stream that was collected meanwhile has it taken out
    }
    return given_ - first;
  }

 private:
  static nb::tuple as_tuple(const tf_result& r) {
    return nb::make_tuple(r.id, static_cast<int>(r.status), nb::bytes(r.data, r.bytes), r.attempts, r.worker, r.redelivered != 0);
  }

  static constexpr std::size_t most_at_once = 1U << 20;  // who wants all that there are need not know how many
  std::vector<tf_result> places_;
  std::size_t count_ = 0, given_ = 0;
};

// `with lock:`; waiting for it may raise what a signal's handler raises.
class Locked {
 public:
  explicit Locked(nb::handle lock) : release_(lock.attr("release")) { lock.attr("acquire")(); }
  Locked(const Locked&) = delete;
  ~Locked() { release_(); }

 private:
  nb::object release_;
};

}  // namespace taskfarm_python
