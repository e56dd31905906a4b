% Ping-pong between ranks 0 and 1: the time of half a round trip against the size of the message.
%
%   eval(MPI_Run('ping_pong', 2, {}))
%
% With FILEMPI_PICTURE set to a file name, the curve is drawn there (double logarithmic, PNG).

MPI_Init;
comm = MPI_COMM_WORLD;
my_rank = MPI_Comm_rank(comm);
sizes = 8 * 4.^(0:8);
half_us = zeros(size(sizes));
for place = 1:numel(sizes)
    message = (1:sizes(place) / 8) / 3;
    times = zeros(1, 20);
    for trial = 1:numel(times)
        started = tic();
        if my_rank == 0
            MPI_Send(1, trial, comm, message);
            back = MPI_Recv(1, trial, comm);
            times(trial) = toc(started);
            assert(isequal(back, message));
        elseif my_rank == 1
            MPI_Send(0, trial, comm, MPI_Recv(0, trial, comm));
        end
    end
    half_us(place) = median(times) / 2 * 1e6;
    if my_rank == 0
        fprintf('%9d bytes %10.1f us %8.3f GB/s\n', sizes(place), half_us(place), sizes(place) / half_us(place) / 1e3);
    end
end
if my_rank == 0
    example_curve(log2(sizes), log10(half_us));
end
MPI_Finalize;
