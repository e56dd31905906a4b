// An MPI for the worker in Fortran: two ranks over a pair of pipes, and the clock that Fortran reads, which stands still
// but for what is told here. Who receives waits for the sender's time. Defined from outside: READ_NS (a reading of the
// clock), HELD_UP_NS, OPERATION_NS; EVERY in the environment: before every so-manieth start rank 1 loses its processor.

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static long now_ns, reads_left = -1, operations, every;
static int rank, in, out;
void _gfortran_system_clock_8(long *count, long *rate, long *most) {
  now_ns += READ_NS;
  if (--reads_left == 0) now_ns += HELD_UP_NS;
  if (count) *count = now_ns;
  if (rate) *rate = 1000000000;
  if (most) *most = 1L << 62;
}
static void send_bytes(const void *data, long bytes) {
  if (write(out, &now_ns, 8) != 8 || write(out, data, bytes) != bytes) abort();
}
static void take_bytes(void *data, long bytes, long lasting_ns) {
  long sent_ns, got = 0, more;
  if (read(in, &sent_ns, 8) != 8) abort();
  for (; got < bytes; got += more)
    if ((more = read(in, (char *)data + got, bytes - got)) <= 0) abort();
  if (sent_ns + lasting_ns > now_ns) now_ns = sent_ns + lasting_ns;
}
void mpi_init_(int *code) {
  int there[2], back[2];
  if (pipe(there) || pipe(back)) abort();
  rank = fork() == 0;
  in = rank ? there[0] : back[0];
  out = rank ? back[1] : there[1];
  every = rank && getenv("EVERY") ? atol(getenv("EVERY")) : 0;
}
void mpi_comm_rank_(int *comm, int *value, int *code) { *value = rank; }
void mpi_comm_size_(int *comm, int *value, int *code) { *value = 2; }
void mpi_send_(void *data, int *count, int *type, int *to, int *tag, int *comm, int *code) {
  send_bytes(data, (long)*count * *type);
}
void mpi_recv_(void *data, int *count, int *type, int *from, int *tag, int *comm, int *status, int *code) {
  take_bytes(data, (long)*count * *type, 1000);
}
void mpi_iprobe_(int *from, int *tag, int *comm, int *there, int *status, int *code) {
  struct pollfd one = {in, POLLIN, 0};
  *there = poll(&one, 1, 0) > 0;
}
void mpi_sendrecv_(void *a, int *n, int *type, int *to, int *tag, void *b, int *m, int *other, int *from, int *mark,
                   int *comm, int *status, int *code) {
  send_bytes(a, (long)*n * *type);
  take_bytes(b, (long)*m * *other, 1000);
}
void mpi_bcast_(void *data, int *count, int *type, int *root, int *comm, int *code) {
  long bytes = (long)*count * *type, lasting_ns = OPERATION_NS + 100 * (operations % 7);
  if (rank == *root) {
    send_bytes(data, bytes);
    now_ns += lasting_ns;
  } else {
    take_bytes(data, bytes, lasting_ns);
  }
  if (every && ++operations % every == 0) reads_left = 4;
  else if (!every) ++operations;
}
void mpi_get_library_version_(char *text, int *length, int *code, long room) { memcpy(text, "pipes", *length = 5); }
void mpi_finalize_(int *code) { }
