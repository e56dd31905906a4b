/* The same by an MPI: mpiexec -n WORKERS+1 mpi BYTES WINDOW TASKS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void echo(char *buffer, int bytes) {
  for (;;) {
    MPI_Status status;
    MPI_Recv(buffer, bytes, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == 2) return;
    MPI_Send(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
}

static double rounds(char *buffer, int bytes, int workers, long window, long tasks) {
  long given = 0, done = 0;
  double start = MPI_Wtime();
  for (long i = 0; i < window; ++i)
    for (int worker = 1; worker <= workers; ++worker, ++given)
      MPI_Send(buffer, bytes, MPI_BYTE, worker, 1, MPI_COMM_WORLD);
  while (done < given) {
    MPI_Status status;
    MPI_Recv(buffer, bytes, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    ++done;
    if (given < tasks) {
      MPI_Send(buffer, bytes, MPI_BYTE, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
      ++given;
    }
  }
  return (MPI_Wtime() - start) / (double)done * 1e6;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int bytes = atoi(argv[1]);
  char *buffer = calloc(1, (size_t)bytes + 1);
  if (rank == 0) {
    rounds(buffer, bytes, size - 1, atol(argv[2]), atol(argv[3]) / 10);
    printf("%.3f\n", rounds(buffer, bytes, size - 1, atol(argv[2]), atol(argv[3])));
    for (int worker = 1; worker < size; ++worker) MPI_Send(buffer, 0, MPI_BYTE, worker, 2, MPI_COMM_WORLD);
  } else {
    echo(buffer, bytes);
  }
  MPI_Finalize();
  return 0;
}
