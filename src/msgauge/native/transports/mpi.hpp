// Any implementation of MPI, through its C interface as MPI-1 defined it (newer operations where the header has them).
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#define MPIPP_H  // LAM's guard of its C++ bindings

#include <mpi.h>

#include <climits>
#include <string>
#include <string_view>

#include "../transport.hpp"

namespace msgauge::transports::mpi {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test sendrecv ssend barrier bcast scatter gather allgather alltoall";

class Transport {
 public:
  using Request = MPI_Request;

  Transport() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  std::string library() const;
  [[noreturn]] void abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    MPI_Send(plain(from), count(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
  }
  void ssend(const void* from, std::size_t bytes, int dest, int tag) {
    MPI_Ssend(plain(from), count(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
  }
  void recv(void* into, std::size_t bytes, int source, int tag) {
    MPI_Recv(into, count(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    Request request;
    MPI_Isend(plain(from), count(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD, &request);
    return request;
  }
  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    Request request;
    MPI_Irecv(into, count(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
    return request;
  }
  void wait(Request& request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
  bool test(Request& request) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }
  void sendrecv(const void* from, std::size_t out_bytes, int dest, void* into, std::size_t in_bytes, int source,
                int tag) {
    MPI_Sendrecv(plain(from), count(out_bytes), MPI_BYTE, dest, tag, into, count(in_bytes), MPI_BYTE, source, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  void bcast(void* data, std::size_t bytes, int root) { MPI_Bcast(data, count(bytes), MPI_BYTE, root, MPI_COMM_WORLD); }
  void scatter(const void* from, void* into, std::size_t bytes, int root) {
    MPI_Scatter(plain(from), count(bytes), MPI_BYTE, into, count(bytes), MPI_BYTE, root, MPI_COMM_WORLD);
  }
  void gather(const void* from, void* into, std::size_t bytes, int root) {
    MPI_Gather(plain(from), count(bytes), MPI_BYTE, into, count(bytes), MPI_BYTE, root, MPI_COMM_WORLD);
  }
  void allgather(const void* from, void* into, std::size_t bytes) {
    MPI_Allgather(plain(from), count(bytes), MPI_BYTE, into, count(bytes), MPI_BYTE, MPI_COMM_WORLD);
  }
  void alltoall(const void* from, void* into, std::size_t bytes) {
    MPI_Alltoall(plain(from), count(bytes), MPI_BYTE, into, count(bytes), MPI_BYTE, MPI_COMM_WORLD);
  }

 private:
  // MPI counts in int; MPI-1 and MPI-2 take senders' buffers without const.
  static int count(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(INT_MAX))
      throw TransportError("MPI cannot count a message of " + std::to_string(bytes) + " bytes");
    return static_cast<int>(bytes);
  }
  static void* plain(const void* memory) { return const_cast<void*>(memory); }

  int rank_ = 0;
  int size_ = 1;
};

inline std::string Transport::library() const {
#if MPI_VERSION >= 3
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string whole(text);
  while (!whole.empty() && (whole.back() == '\n' || whole.back() == '\0')) whole.pop_back();
  return whole;
#elif defined(LAM_VERSION)
  return "LAM/MPI " LAM_VERSION;
#else
  return "MPI " + std::to_string(MPI_VERSION) + "." + std::to_string(MPI_SUBVERSION);
#endif
}

template <class Body>
int launch(int argc, char** argv, Body body) {
  MPI_Init(&argc, &argv);
  Transport transport;
  const int code = body(transport);
  MPI_Finalize();
  return code;
}

}  // namespace msgauge::transports::mpi
