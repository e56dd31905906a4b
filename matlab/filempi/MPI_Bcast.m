function varargout = MPI_Bcast(source, tag, comm, varargin)
    % MPI_Bcast  -  Send values of rank source to all ranks; every rank calls it and gets them back.
    %
    %   [v1, v2, ...] = MPI_Bcast(source, tag, comm, v1, v2, ...)      the values are read on source only
    %
    % Large values are written once: every other rank gets its own name of the same file.

    if ~isstruct(comm)
        filempi_check(source, tag, comm, false);
    end
    if comm.rank == source
        values = varargin;
        filempi_spread(source, tag, comm, values);
    else
        values = filempi_receive(source, tag, comm, 1, []);
    end
    varargout = filempi_outputs(values, nargout);
end
