// MPI's collective operations: blocking ones as MPI-1 and MPI-2 defined them, non-blocking ones since MPI-3.
#pragma once

#include <climits>
#include <cstddef>
#include <string>

#include "../collectives.hpp"
#include "../transport.hpp"
#include "mpi_header.hpp"

namespace msgauge::transports::mpi {

// MPI counts in int; MPI-1 and MPI-2 take senders' buffers without const.
inline int count_of(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(INT_MAX))
    throw TransportError("MPI cannot count a message of " + std::to_string(bytes) + " bytes");
  return static_cast<int>(bytes);
}
inline void* plain(const void* memory) { return const_cast<void*>(memory); }
inline int* plain(const int* numbers) { return const_cast<int*>(numbers); }

inline MPI_Datatype datatype_of(Element element) {
  switch (element) {
    case Element::int32: return MPI_INT;
    case Element::int64: return MPI_LONG_LONG;
    case Element::float32: return MPI_FLOAT;
    case Element::float64: return MPI_DOUBLE;
    case Element::byte: return MPI_BYTE;
  }
  return MPI_BYTE;
}

inline MPI_Op operator_of(Operator op) {
  switch (op) {
    case Operator::sum: return MPI_SUM;
    case Operator::max: return MPI_MAX;
    case Operator::min: return MPI_MIN;
    case Operator::band: return MPI_BAND;
    case Operator::bor: return MPI_BOR;
    case Operator::bxor: return MPI_BXOR;
  }
  return MPI_SUM;
}

// What a transport over MPI_COMM_WORLD inherits.
class Collectives {
 public:
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  void bcast(void* data, std::size_t bytes, int root) {
    MPI_Bcast(data, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD);
  }
  void scatter(const void* from, void* into, std::size_t bytes, int root) {
    MPI_Scatter(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD);
  }
  void scatterv(const void* from, Blocks out, void* into, std::size_t bytes, int root) {
    MPI_Scatterv(plain(from), plain(out.counts), plain(out.offsets), MPI_BYTE, into, count_of(bytes), MPI_BYTE,
                 root, MPI_COMM_WORLD);
  }
  void gather(const void* from, void* into, std::size_t bytes, int root) {
    MPI_Gather(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD);
  }
  void gatherv(const void* from, std::size_t bytes, void* into, Blocks in, int root) {
    MPI_Gatherv(plain(from), count_of(bytes), MPI_BYTE, into, plain(in.counts), plain(in.offsets), MPI_BYTE, root,
                MPI_COMM_WORLD);
  }
  void allgather(const void* from, void* into, std::size_t bytes) {
    MPI_Allgather(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, MPI_COMM_WORLD);
  }
  void allgatherv(const void* from, std::size_t bytes, void* into, Blocks in) {
    MPI_Allgatherv(plain(from), count_of(bytes), MPI_BYTE, into, plain(in.counts), plain(in.offsets), MPI_BYTE,
                   MPI_COMM_WORLD);
  }
  void reduce(const void* from, void* into, std::size_t count, Element element, Operator op, int root) {
    MPI_Reduce(plain(from), into, count_of(count), datatype_of(element), operator_of(op), root, MPI_COMM_WORLD);
  }
  void allreduce(const void* from, void* into, std::size_t count, Element element, Operator op) {
    MPI_Allreduce(plain(from), into, count_of(count), datatype_of(element), operator_of(op), MPI_COMM_WORLD);
  }
  void reduce_scatter(const void* from, void* into, const int* counts, Element element, Operator op) {
    MPI_Reduce_scatter(plain(from), into, plain(counts), datatype_of(element), operator_of(op), MPI_COMM_WORLD);
  }
  void scan(const void* from, void* into, std::size_t count, Element element, Operator op) {
    MPI_Scan(plain(from), into, count_of(count), datatype_of(element), operator_of(op), MPI_COMM_WORLD);
  }
  void exscan(const void* from, void* into, std::size_t count, Element element, Operator op) {
    MPI_Exscan(plain(from), into, count_of(count), datatype_of(element), operator_of(op), MPI_COMM_WORLD);
  }
  void alltoall(const void* from, void* into, std::size_t bytes) {
    MPI_Alltoall(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, MPI_COMM_WORLD);
  }
  void alltoallv(const void* from, Blocks out, void* into, Blocks in) {
    MPI_Alltoallv(plain(from), plain(out.counts), plain(out.offsets), MPI_BYTE, into, plain(in.counts),
                  plain(in.offsets), MPI_BYTE, MPI_COMM_WORLD);
  }

#if MPI_VERSION >= 3
  MPI_Request ibarrier() {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request ibcast(void* data, std::size_t bytes, int root) {
    MPI_Request request;
    MPI_Ibcast(data, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request iscatter(const void* from, void* into, std::size_t bytes, int root) {
    MPI_Request request;
    MPI_Iscatter(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD,
                 &request);
    return request;
  }
  MPI_Request iscatterv(const void* from, Blocks out, void* into, std::size_t bytes, int root) {
    MPI_Request request;
    MPI_Iscatterv(plain(from), plain(out.counts), plain(out.offsets), MPI_BYTE, into, count_of(bytes), MPI_BYTE,
                  root, MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request igather(const void* from, void* into, std::size_t bytes, int root) {
    MPI_Request request;
    MPI_Igather(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD,
                &request);
    return request;
  }
  MPI_Request igatherv(const void* from, std::size_t bytes, void* into, Blocks in, int root) {
    MPI_Request request;
    MPI_Igatherv(plain(from), count_of(bytes), MPI_BYTE, into, plain(in.counts), plain(in.offsets), MPI_BYTE, root,
                 MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request iallgather(const void* from, void* into, std::size_t bytes) {
    MPI_Request request;
    MPI_Iallgather(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request iallgatherv(const void* from, std::size_t bytes, void* into, Blocks in) {
    MPI_Request request;
    MPI_Iallgatherv(plain(from), count_of(bytes), MPI_BYTE, into, plain(in.counts), plain(in.offsets), MPI_BYTE,
                    MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request ireduce(const void* from, void* into, std::size_t count, Element element, Operator op, int root) {
    MPI_Request request;
    MPI_Ireduce(plain(from), into, count_of(count), datatype_of(element), operator_of(op), root, MPI_COMM_WORLD,
                &request);
    return request;
  }
  MPI_Request iallreduce(const void* from, void* into, std::size_t count, Element element, Operator op) {
    MPI_Request request;
    MPI_Iallreduce(plain(from), into, count_of(count), datatype_of(element), operator_of(op), MPI_COMM_WORLD,
                   &request);
    return request;
  }
  MPI_Request ireduce_scatter(const void* from, void* into, const int* counts, Element element, Operator op) {
    MPI_Request request;
    MPI_Ireduce_scatter(plain(from), into, plain(counts), datatype_of(element), operator_of(op), MPI_COMM_WORLD,
                        &request);
    return request;
  }
  MPI_Request iscan(const void* from, void* into, std::size_t count, Element element, Operator op) {
    MPI_Request request;
    MPI_Iscan(plain(from), into, count_of(count), datatype_of(element), operator_of(op), MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request iexscan(const void* from, void* into, std::size_t count, Element element, Operator op) {
    MPI_Request request;
    MPI_Iexscan(plain(from), into, count_of(count), datatype_of(element), operator_of(op), MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request ialltoall(const void* from, void* into, std::size_t bytes) {
    MPI_Request request;
    MPI_Ialltoall(plain(from), count_of(bytes), MPI_BYTE, into, count_of(bytes), MPI_BYTE, MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request ialltoallv(const void* from, Blocks out, void* into, Blocks in) {
    MPI_Request request;
    MPI_Ialltoallv(plain(from), plain(out.counts), plain(out.offsets), MPI_BYTE, into, plain(in.counts),
                   plain(in.offsets), MPI_BYTE, MPI_COMM_WORLD, &request);
    return request;
  }
#endif
};

}  // namespace msgauge::transports::mpi
