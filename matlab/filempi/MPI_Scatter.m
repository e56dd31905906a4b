function value = MPI_Scatter(root, tag, comm, values)
    % MPI_Scatter  -  Deal the elements of a cell on root out to the ranks.
    %
    %   value = MPI_Scatter(root, tag, comm, values)      values: a cell with one element per rank, read on root only
    %
    % Errors: MPI:badCount (not one element per rank).

    [root, tag] = check_arguments(root, tag, comm, false);
    if comm.rank ~= root
        got = receive_message(root, tag, comm, 4, []);
        value = got{1};
        return
    end
    if ~iscell(values) || numel(values) ~= comm.size
        error('MPI:badCount', 'MPI_Scatter needs a cell of %d elements, one for each rank.', comm.size);
    end
    for rank = [0:root - 1, root + 1:comm.size - 1]
        send_message(rank, tag, comm, 4, values(rank + 1));
    end
    value = values{root + 1};
end
