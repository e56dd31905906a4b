// The many ways to send and to receive one message, as transports may offer them. Every one is optional.
//
// `ssend` comes back when the receive has begun; `bsend` at once, having copied into room that `attach` made; `rsend`
// may be used only where the receive is posted already. A persistent request is made once and started many times.
// A datatype describes pieces of memory that are not next to each other; a message of it is sent without packing.
#pragma once

#include <concepts>
#include <cstddef>

namespace msgauge {

template <class T>
concept HasSsend = requires(T& transport, const void* from, std::size_t bytes, int peer, int tag) {
  transport.ssend(from, bytes, peer, tag);
};

// attach(messages, bytes): room for so many messages of so many bytes under way at once; detach() waits for them all.
template <class T>
concept HasBsend = requires(T& transport, const void* from, std::size_t bytes, int peer, int tag) {
  transport.attach(bytes, bytes);
  transport.bsend(from, bytes, peer, tag);
  transport.detach();
};

template <class T>
concept HasRsend = requires(T& transport, const void* from, std::size_t bytes, int peer, int tag) {
  transport.rsend(from, bytes, peer, tag);
};

// `wait` completes a started request and leaves it ready for the next start; `release` ends it.
template <class T>
concept HasPersistent = requires(T& transport, typename T::Request& request, const void* from, void* into,
                                 std::size_t bytes, int peer, int tag) {
  { transport.send_init(from, bytes, peer, tag) } -> std::same_as<typename T::Request>;
  { transport.recv_init(into, bytes, peer, tag) } -> std::same_as<typename T::Request>;
  transport.start(request);
  transport.wait(request);
  transport.release(request);
};

// Waits until a message of this source and tag could be received, and says how long it is.
template <class T>
concept HasProbe = requires(T& transport, int peer, int tag) {
  { transport.probe(peer, tag) } -> std::convertible_to<std::size_t>;
};

// The source, or the tag, that every message fits.
template <class T>
concept HasAnySource = requires {
  { T::any_source } -> std::convertible_to<int>;
};
template <class T>
concept HasAnyTag = requires {
  { T::any_tag } -> std::convertible_to<int>;
};

// vector_type: `count` blocks of `block` bytes, whose beginnings lie `stride` bytes apart.
// indexed_type: block i has lengths[i] bytes and begins offsets[i] bytes from the beginning of the buffer.
template <class T>
concept HasDatatype = requires(T& transport, typename T::Datatype& type, int count, const int* numbers,
                               const void* from, void* into, int peer, int tag) {
  { transport.vector_type(count, count, count) } -> std::same_as<typename T::Datatype>;
  { transport.indexed_type(count, numbers, numbers) } -> std::same_as<typename T::Datatype>;
  transport.send_typed(from, type, peer, tag);
  transport.recv_typed(into, type, peer, tag);
  transport.release(type);
};

}  // namespace msgauge
