/* The least that a ping-pong over a socket can be: two processes, each on a core of its own, one TCP connection, waiting
 * as the tcp stack does: by spinning, with a yield of the processor after every 32 looks in vain.
 *
 *   cc -O2 minimal_sockets.c -o minimal && ./minimal BYTES ROUND_TRIPS BATCHES
 *
 * Prints the half round trip of each batch in nanoseconds, one a line. Compared with the tcp stack by tcp_floor.py.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The processor that the calling process may use as its first or second. */
static void bind_to(int which) {
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || which-- > 0) continue;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

static void move(int sends, int socket, char* data, size_t bytes) {
  for (int looks = 1; bytes > 0;) {
    const ssize_t moved =
        sends ? send(socket, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) : recv(socket, data, bytes, MSG_DONTWAIT);
    if (moved < 0 && looks++ % 32 == 0) sched_yield();
    if (moved < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (moved <= 0) exit(1);
    data += moved;
    bytes -= (size_t)moved;
  }
}

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? (size_t)atol(argv[1]) : 8;
  const int round_trips = argc > 2 ? atoi(argv[2]) : 50;
  const int batches = argc > 3 ? atoi(argv[3]) : 400;
  struct sockaddr_in here = {.sin_family = AF_INET};
  socklen_t length = sizeof here;
  const int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, (struct sockaddr*)&here, sizeof here) != 0 || listen(listener, 1) != 0) return 1;
  getsockname(listener, (struct sockaddr*)&here, &length);
  const int first = fork() != 0;
  bind_to(first ? 0 : 1);
  int peer = first ? accept(listener, NULL, NULL) : socket(AF_INET, SOCK_STREAM, 0);
  if (!first) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!first && connect(peer, (struct sockaddr*)&here, sizeof here) != 0) return 1;
  setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  char* out = calloc(bytes, 1);
  char* in = calloc(bytes, 1);
  double* times = calloc((size_t)batches, sizeof(double));
  for (int batch = -batches / 4; batch < batches; ++batch) {
    const double begin = now_ns();
    for (int i = 0; i < round_trips; ++i) {
      move(first, peer, first ? out : in, bytes);
      move(!first, peer, first ? in : out, bytes);
    }
    if (batch >= 0) times[batch] = (now_ns() - begin) / (2.0 * round_trips);
  }
  for (int batch = 0; first && batch < batches; ++batch) printf("%.3f\n", times[batch]);
  if (first) wait(NULL);
  return 0;
}
