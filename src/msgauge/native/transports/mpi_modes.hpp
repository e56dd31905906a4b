// MPI's further ways to send and to receive, all of them as old as MPI-1.
#pragma once

#include <cstddef>
#include <vector>

#include "../pointtopoint.hpp"
#include "mpi_collectives.hpp"
#include "mpi_header.hpp"

namespace msgauge::transports::mpi {

// A type of its own, because MPI's handles of types and of requests are the same type in some libraries.
struct TypeHandle {
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

// What a transport over MPI_COMM_WORLD inherits.
class Modes {
 public:
  using Datatype = TypeHandle;
  static inline const int any_source = MPI_ANY_SOURCE;
  static inline const int any_tag = MPI_ANY_TAG;

  void ssend(const void* from, std::size_t bytes, int dest, int tag) {
    MPI_Ssend(plain(from), count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
  }
  void rsend(const void* from, std::size_t bytes, int dest, int tag) {
    MPI_Rsend(plain(from), count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
  }

  void attach(std::size_t messages, std::size_t bytes) {
    room_.assign(messages * (bytes + MPI_BSEND_OVERHEAD + alignment), 0);
    MPI_Buffer_attach(room_.data(), count_of(room_.size()));
  }
  void bsend(const void* from, std::size_t bytes, int dest, int tag) {
    MPI_Bsend(plain(from), count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
  }
  void detach() {
    void* memory = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&memory, &bytes);
    room_.clear();
  }

  MPI_Request send_init(const void* from, std::size_t bytes, int dest, int tag) {
    MPI_Request request;
    MPI_Send_init(plain(from), count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD, &request);
    return request;
  }
  MPI_Request recv_init(void* into, std::size_t bytes, int source, int tag) {
    MPI_Request request;
    MPI_Recv_init(into, count_of(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
    return request;
  }
  void start(MPI_Request& request) { MPI_Start(&request); }
  void release(MPI_Request& request) { MPI_Request_free(&request); }

  std::size_t probe(int source, int tag) {
    MPI_Status status;
    MPI_Probe(source, tag, MPI_COMM_WORLD, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return static_cast<std::size_t>(bytes);
  }

  Datatype vector_type(int count, int block, int stride) {
    Datatype made;
    MPI_Type_vector(count, block, stride, MPI_BYTE, &made.type);
    MPI_Type_commit(&made.type);
    return made;
  }
  Datatype indexed_type(int count, const int* lengths, const int* offsets) {
    Datatype made;
    MPI_Type_indexed(count, plain(lengths), plain(offsets), MPI_BYTE, &made.type);
    MPI_Type_commit(&made.type);
    return made;
  }
  void send_typed(const void* from, const Datatype& made, int dest, int tag) {
    MPI_Send(plain(from), 1, made.type, dest, tag, MPI_COMM_WORLD);
  }
  void recv_typed(void* into, const Datatype& made, int source, int tag) {
    MPI_Recv(into, 1, made.type, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void release(Datatype& made) { MPI_Type_free(&made.type); }

 private:
  static constexpr std::size_t alignment = 64;
  std::vector<char> room_;
};

}  // namespace msgauge::transports::mpi
