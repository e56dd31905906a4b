function map_stop_workers(dead, comm)
    % Tell every rank but 0 and those that are dead (a row, true or false for each rank) that MPI_Map has no more tasks.

    global FILEMPI
    for rank = find(~dead(2:end))
        try
            send_message(rank, FILEMPI.maps, comm, 3, {0, []});
        catch problem
            if ~any(strcmp(problem.identifier, {'MPI:peerLost', 'MPI:aborted'}))
                rethrow(problem);
            end
        end
    end
end
