function text = unmatched_text(comm)
    % The messages that have arrived on this communicator and nobody has asked for.
    global FILEMPI
    calls = {'MPI_Send', 'MPI_Gather', 'MPI_Barrier', 'MPI_Map', 'MPI_Scatter', 'MPI_Reduce', 'MPI_Alltoall', ...
             'MPI_Allgather or MPI_Allreduce', 'MPI_Bcast or MPI_Mcast'};
    keys = FILEMPI.keys;
    places = find(keys(:, 1) > comm.base & keys(:, 1) <= comm.base + comm.size & keys(:, 4) == 0);
    if isempty(places)
        text = 'No message is there.';
        return
    end
    lines = cell(1, numel(places));
    for k = 1:numel(places)
        key = keys(places(k), :);
        lines{k} = sprintf('a message from %d with tag %s was sent by %s', key(1) - comm.base - 1, shown_tag(key(2)), ...
                           calls{FILEMPI.messages{places(k)}.sender + 1});
    end
    [lines, ~, kinds] = unique(lines);
    counts = accumarray(kinds(:), 1);
    for k = find(counts.' > 1)
        lines{k} = sprintf('%s (%d of these)', lines{k}, counts(k));
    end
    if numel(lines) > 5
        lines = [lines(1:5), {sprintf('and %d kinds more', numel(lines) - 5)}];
    end
    text = sprintf('There, and not matching: %s.', strjoin(lines, '; '));
end
