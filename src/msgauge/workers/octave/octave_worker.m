% One rank of msgauge's worker in Octave (docs/reference/wire-protocol.md), over the file toolbox.

MPI_Init();
worker_comm = MPI_COMM_WORLD();
if strcmp(getenv('MSGAUGE_HELLO'), '1')
    % In one write: printf writes piece by piece, and those of several ranks would mix.
    fputs(stdout, sprintf('msgauge-hello %s %s\n', worker_hello(worker_comm), worker_rank_info()));
else
    worker_launch(worker_comm, getenv('MSGAUGE_PLAN'), getenv('MSGAUGE_SAMPLES'));
end
MPI_Finalize();
