function all_values = MPI_Gather(root, tag, comm, value)
    % MPI_Gather  -  Collect one value of each rank on root.
    %
    %   all_values = MPI_Gather(root, tag, comm, value)      a cell row by rank on root, {} elsewhere

    [root, tag] = check_arguments(root, tag, comm, false);
    all_values = {};
    if comm.rank ~= root
        send_message(root, tag, comm, 1, {value});
        return
    end
    all_values = cell(1, comm.size);
    all_values{root + 1} = value;
    for rank = [0:root - 1, root + 1:comm.size - 1]
        got = receive_message(rank, tag, comm, 1, []);
        all_values{rank + 1} = got{1};
    end
end
