function [ranks, tags] = MPI_Probe(source, tag, comm)
    % MPI_Probe  -  The messages that have arrived and wait to be received; does not wait.
    %
    %   [ranks, tags] = MPI_Probe(source, tag, comm)      source and tag may be '*'
    %
    % Columns of equal length, in the order in which each sender sent; empty when there is nothing.
    %
    % Errors: MPI:peerLost (nothing is there, and the rank asked for has failed), MPI:aborted.

    global FILEMPI
    [source, tag] = filempi_check(source, tag, comm, true);
    if FILEMPI.classic
        error('MPI:badRank', 'The classic protocol has no probe here.');
    end
    while filempi_take_from(source, comm)
    end
    places = filempi_find(source, tag, comm, 0, true);
    if isempty(places)
        filempi_glance(source, comm);
        places = filempi_find(source, tag, comm, 0, true);
    end
    ranks = reshape(FILEMPI.keys(places, 1) - comm.base - 1, [], 1);
    tags = reshape(FILEMPI.keys(places, 2), [], 1);
end
