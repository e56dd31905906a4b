// Any implementation of MPI, through its C interface as MPI-1 defined it (newer operations where the header has them).
#pragma once

#include <string>
#include <string_view>

#include "../transport.hpp"
#include "mpi_collectives.hpp"
#include "mpi_header.hpp"
#include "mpi_modes.hpp"
#include "mpi_onesided.hpp"

namespace msgauge::transports::mpi {

// What every MPI has; and what came with MPI-3, which LAM was not there to see (msgauge reads both without compiling).
#if MPI_VERSION >= 3
#define MSGAUGE_SINCE_MPI3 \
  " ibarrier ibcast iscatter iscatterv igather igatherv iallgather iallgatherv ireduce iallreduce" \
  " ireduce_scatter iscan iexscan ialltoall ialltoallv fetch_op compare_swap lock flush"
#else
#define MSGAUGE_SINCE_MPI3 ""
#endif
inline constexpr std::string_view capabilities =
    "wtime send recv isend irecv wait test sendrecv ssend bsend rsend persistent probe any_source any_tag datatype "
    "barrier bcast scatter scatterv gather gatherv allgather allgatherv reduce allreduce reduce_scatter scan "
    "exscan alltoall alltoallv put get accumulate fence" MSGAUGE_SINCE_MPI3;

class Transport : public Collectives, public Modes, public OneSided {
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
    MPI_Send(plain(from), count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
  }
  void recv(void* into, std::size_t bytes, int source, int tag) {
    MPI_Recv(into, count_of(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    Request request;
    MPI_Isend(plain(from), count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD, &request);
    return request;
  }
  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    Request request;
    MPI_Irecv(into, count_of(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
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
    MPI_Sendrecv(plain(from), count_of(out_bytes), MPI_BYTE, dest, tag, into, count_of(in_bytes), MPI_BYTE, source,
                 tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  double wtime() const { return MPI_Wtime(); }
  double wtick() const { return MPI_Wtick(); }

 private:
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
