function [ranks, tags] = MPI_Probe(source, tag, comm)
    % As of filempi, over MPI, but that at most one message is told of.

    ranks = [];
    tags = [];
    [flag, status] = mexmpi_call('MPI_Iprobe', source, tag, comm.handle);
    if flag
        ranks = status.source;
        tags = status.tag;
    end
end
