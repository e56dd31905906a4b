// Data that do not lie side by side: sent as they lie by a derived datatype, or packed by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "../buffers.hpp"
#include "../durations.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::datatype {

inline constexpr Facts facts{
    .name = "datatype",
    .title = "Derived datatype",
    .meaning = "Half the round trip of a message whose bytes lie in blocks with gaps between them, on both sides: by "
               "the stack's own datatype, or packed into one piece, sent, and unpacked by this kernel.",
    .source = "Traeff, Lauscher, Hunold 2016, Expected performance and portability of MPI derived datatypes",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "layout=vector|indexed|contiguous how=datatype|packed block=64|8|512|4096",
    .option_meanings =
        "block: bytes of a block\n"
        "how: datatype, sent as it lies there; packed, copied into one piece and sent as bytes\n"
        "layout: vector, blocks as far apart as they are long; indexed, uneven ones at uneven distances; "
        "contiguous, one block\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "derived-types ddt pack",
};

struct Piece {
  int offset, length;
};

// vector: blocks of one length, as far apart as they are long. indexed: blocks of a quarter to the whole of that length
// at uneven distances, the same on both sides. contiguous: one block. Together they always hold the cell's bytes.
inline std::vector<Piece> pieces_of(std::string_view layout, std::int64_t bytes, int block) {
  std::vector<Piece> pieces;
  if (layout == "contiguous") block = std::max(1, static_cast<int>(bytes));
  std::minstd_rand random(4711);
  int offset = 0;
  for (std::int64_t left = bytes; left > 0;) {
    int length = block;
    const auto extra = static_cast<int>(random() % static_cast<unsigned>(block));
    if (layout == "indexed") length = std::max(1, block / 4 + extra * 3 / 4);
    length = static_cast<int>(std::min<std::int64_t>(length, left));
    pieces.push_back({offset, length});
    offset += layout == "indexed" ? length + 1 + static_cast<int>(random() % static_cast<unsigned>(block)) : 2 * block;
    left -= length;
  }
  return pieces;
}

template <class T>
struct NoDatatype {};
template <class T>
struct DatatypeOf {
  using type = NoDatatype<T>;
};
template <HasDatatype T>
struct DatatypeOf<T> {
  using type = typename T::Datatype;
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 2;

  static constexpr Coverage coverage(const Cell& cell) {
    if (cell.bytes > most_bytes)
      return {Coverage::Kind::refused, "", "more than 256 MiB with its gaps; take a shorter message"};
    if (cell.option("how", facts) == "datatype" && !HasDatatype<T>) return {Coverage::Kind::emulated, "packed", ""};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), peer_(1 - transport.rank()),
        typed_(HasDatatype<T> && cell.option("how", facts) == "datatype"),
        pieces_(pieces_of(cell.option("layout", facts), cell.bytes,
                          static_cast<int>(number_in(cell.option("block", facts))))),
        out_(span_of(pieces_), cell.cache), in_(span_of(pieces_), cell.cache), packed_(cell.bytes, cell.cache) {}

  void open() {
    if constexpr (HasDatatype<T>) {
      std::vector<int> lengths, offsets;
      for (const auto& piece : pieces_) lengths.push_back(piece.length), offsets.push_back(piece.offset);
      if (typed_) type_ = make_type(lengths, offsets);
    }
  }
  void close() {
    if constexpr (HasDatatype<T>)
      if (type_) transport_.release(*type_);
  }

  void once() {
    if (first_) {
      send();
      receive();
    } else {
      receive();
      send();
    }
    out_.advance();
    in_.advance();
  }

  void prepare(int iteration) {
    out_.fill(transport_.rank(), iteration);
    in_.scribble();
    received_ = in_.data();
  }

  // What arrived is what lay in the pieces of the other side; the gaps are still as they were.
  bool verify(int iteration) {
    std::vector<unsigned char> expected(in_.bytes(), 0xEE), sent(in_.bytes());
    fill_pattern(sent.data(), sent.size(), peer_, iteration);
    for (const auto& piece : pieces_)
      std::memcpy(&expected[static_cast<std::size_t>(piece.offset)], &sent[static_cast<std::size_t>(piece.offset)],
                  static_cast<std::size_t>(piece.length));
    return expected.empty() || std::memcmp(expected.data(), received_, expected.size()) == 0;
  }
  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr int tag = 30;
  static constexpr std::int64_t most_bytes = std::int64_t{128} << 20;

  static std::int64_t span_of(const std::vector<Piece>& pieces) {
    return pieces.empty() ? 0 : pieces.back().offset + pieces.back().length;
  }

  // A regular layout as a vector, with a shorter last block as an index: what a program would do.
  auto make_type(const std::vector<int>& lengths, const std::vector<int>& offsets) {
    const int count = static_cast<int>(lengths.size());
    const bool regular = count > 1 && lengths.front() == lengths.back() && offsets[1] == 2 * lengths[0] &&
                         offsets.back() == (count - 1) * offsets[1];
    if (regular) return transport_.vector_type(count, lengths[0], offsets[1]);
    return transport_.indexed_type(count, lengths.data(), offsets.data());
  }

  void send() {
    if constexpr (HasDatatype<T>)
      if (typed_) return transport_.send_typed(out_.data(), *type_, peer_, tag);
    unsigned char* into = packed_.data();
    for (const auto& piece : pieces_) {
      std::memcpy(into, out_.data() + piece.offset, static_cast<std::size_t>(piece.length));
      into += piece.length;
    }
    transport_.send(packed_.data(), packed_.bytes(), peer_, tag);
  }

  void receive() {
    if constexpr (HasDatatype<T>)
      if (typed_) return transport_.recv_typed(in_.data(), *type_, peer_, tag);
    transport_.recv(packed_.data(), packed_.bytes(), peer_, tag);
    const unsigned char* from = packed_.data();
    for (const auto& piece : pieces_) {
      std::memcpy(in_.data() + piece.offset, from, static_cast<std::size_t>(piece.length));
      from += piece.length;
    }
  }

  T& transport_;
  bool first_;
  int peer_;
  bool typed_;
  std::vector<Piece> pieces_;
  Buffer out_;
  Buffer in_;
  Buffer packed_;
  std::optional<typename DatatypeOf<T>::type> type_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::datatype
