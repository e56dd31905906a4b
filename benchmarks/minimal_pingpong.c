/* The least that a ping-pong over MPI can be: two clock reads around a loop of sends and receives.
 *
 *   mpicc -O2 minimal_pingpong.c -o minimal && mpiexec -n 2 ./minimal BYTES ROUND_TRIPS BATCHES
 *
 * Prints the half round trip of each batch in nanoseconds, one a line. Compared with msgauge's worker by overhead.py.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  int rank, i, batch;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  const int round_trips = argc > 2 ? atoi(argv[2]) : 200;
  const int batches = argc > 3 ? atoi(argv[3]) : 400;
  char* out = (char*)aligned_alloc(4096, (size_t)(bytes / 4096 + 1) * 4096);
  char* in = (char*)aligned_alloc(4096, (size_t)(bytes / 4096 + 1) * 4096);
  double* times = (double*)malloc(sizeof(double) * (size_t)(batches + 1));
  memset(out, 1, (size_t)bytes);
  memset(in, 2, (size_t)bytes);
  for (batch = -batches / 4; batch < batches; ++batch) {
    const double begin = now_ns();
    for (i = 0; i < round_trips; ++i) {
      if (rank == 0) {
        MPI_Send(out, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else if (rank == 1) {
        MPI_Recv(in, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      }
    }
    if (batch >= 0) times[batch] = (now_ns() - begin) / (2.0 * round_trips);
  }
  if (rank == 0)
    for (batch = 0; batch < batches; ++batch) printf("%.3f\n", times[batch]);
  free(times);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
