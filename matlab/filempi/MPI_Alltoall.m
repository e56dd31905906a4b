function received = MPI_Alltoall(tag, comm, values)
    % MPI_Alltoall  -  Every rank sends one element of its cell to each rank.
    %
    %   received = MPI_Alltoall(tag, comm, values)      both a cell row by rank
    %
    % Errors: MPI:badCount (not one element per rank).

    [~, tag] = check_arguments(0, tag, comm, false);
    if ~iscell(values) || numel(values) ~= comm.size
        error('MPI:badCount', 'MPI_Alltoall needs a cell of %d elements, one for each rank.', comm.size);
    end
    received = cell(1, comm.size);
    received{comm.rank + 1} = values{comm.rank + 1};
    for step = 1:comm.size - 1
        rank = mod(comm.rank + step, comm.size);
        send_message(rank, tag, comm, 6, values(rank + 1));
    end
    for step = 1:comm.size - 1
        rank = mod(comm.rank - step, comm.size);
        got = receive_message(rank, tag, comm, 6, []);
        received{rank + 1} = got{1};
    end
end
