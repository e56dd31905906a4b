// Every rank exchanges its borders with its neighbours in a closed grid, as stencil programs do in every step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../cartesian.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::halo {

inline constexpr Facts facts{
    .name = "halo",
    .title = "Halo exchange",
    .meaning = "Time of one step in which every rank sends one message of this size to each of its neighbours in a "
               "closed grid of two or three dimensions and receives one from each, step after step, as rank 0 sees it.",
    .source = "Sandia micro-benchmarks and SMB; Wallcraft's HALO benchmark",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * 2",
    .needs = "send recv",
    .options = "dimensions=2|3",
    .option_meanings =
        "dimensions: of the grid of ranks\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "stencil neighbor neighbors neighbours",
};

// A link joins this rank and one neighbour through one border; both ends know it by the same tag pair. A dimension of
// one rank has no links; one of two has two links to the same neighbour.
struct Link {
  int peer, send_tag, receive_tag;
  int order;  // the same at both ends: who has only blocking calls goes by it
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  // Blocking calls take the links one by one, in an order all ranks agree on, the lower rank sending first.
  static constexpr Coverage coverage(const Cell&) {
    return can_at_once ? Coverage{} : Coverage{Coverage::Kind::emulated, "ordered", ""};
  }

  Run(T& transport, const Cell& cell) : transport_(transport) {
    find_links(cell.ranks, cell.option("dimensions", facts) == "3" ? 3 : 2);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      out_.push_back(std::make_unique<Buffer>(cell.bytes, cell.cache));
      in_.push_back(std::make_unique<Buffer>(cell.bytes, cell.cache));
    }
    if constexpr (HasIsend<T>) requests_.resize(2 * links_.size());
  }

  void once() {
    if constexpr (can_at_once) at_once();
    else in_order();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      out_[i]->advance();
      in_[i]->advance();
    }
  }

  void prepare(int iteration) {
    received_.clear();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      out_[i]->fill(name_of(transport_.rank(), links_[i].send_tag), iteration);
      in_[i]->scribble();
      received_.push_back(in_[i]->data());
    }
  }
  bool verify(int iteration) {
    bool right = true;
    for (std::size_t i = 0; i < links_.size(); ++i)
      right = right && holds_pattern(received_[i], in_[i]->bytes(), name_of(links_[i].peer, links_[i].receive_tag),
                                     iteration);
    return right;
  }
  void evict() {
    for (std::size_t i = 0; i < links_.size(); ++i) out_[i]->evict(), in_[i]->evict();
  }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int first_tag = 20;

  // Each border of each rank has bytes of its own, so that two borders that were mixed up are noticed.
  static int name_of(int rank, int tag) { return 8 * rank + tag - first_tag; }

  void find_links(int ranks, int dimensions) {
    const CartesianGrid grid(ranks, dimensions);
    const int rank = transport_.rank();
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      if (grid.extent[static_cast<std::size_t>(dimension)] < 2) continue;
      for (const int step : {1, -1}) {
        const int up = first_tag + 2 * dimension, down = up + 1;
        const int peer = grid.neighbour(rank, dimension, step);
        const int below = step > 0 ? rank : peer;  // who sends upwards through this link
        links_.push_back({peer, step > 0 ? up : down, step > 0 ? down : up, below * 8 + dimension});
      }
    }
    std::sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) { return a.order < b.order; });
  }

  void at_once() {
    if constexpr (can_at_once) {
      auto request = requests_.begin();
      for (std::size_t i = 0; i < links_.size(); ++i)
        *request++ = transport_.irecv(in_[i]->data(), in_[i]->bytes(), links_[i].peer, links_[i].receive_tag);
      for (std::size_t i = 0; i < links_.size(); ++i)
        *request++ = transport_.isend(out_[i]->data(), out_[i]->bytes(), links_[i].peer, links_[i].send_tag);
      for (auto& one : requests_) transport_.wait(one);
    }
  }

  void in_order() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      const bool sends_first = transport_.rank() < link.peer;
      if (sends_first) transport_.send(out_[i]->data(), out_[i]->bytes(), link.peer, link.send_tag);
      transport_.recv(in_[i]->data(), in_[i]->bytes(), link.peer, link.receive_tag);
      if (!sends_first) transport_.send(out_[i]->data(), out_[i]->bytes(), link.peer, link.send_tag);
    }
  }

  T& transport_;
  std::vector<Link> links_;
  std::vector<std::unique_ptr<Buffer>> out_, in_;
  std::vector<const void*> received_;
  RequestList<T> requests_;
};

}  // namespace msgauge::kernels::halo
