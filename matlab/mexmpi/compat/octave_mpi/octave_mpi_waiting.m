function octave_mpi_waiting(begun)
    % Keep what a rank has begun to send to itself until it has received it; what it has received is let go.

    persistent requests
    requests = [uint64(requests), begun];
    open = true(1, numel(requests));
    for k = 1:numel(requests)
        open(k) = ~mexmpi_call('MPI_Test', requests(k));
    end
    requests = requests(open);
end
