function varargout = MPI_Bcast(source, tag, comm, varargin)
    % MPI_Bcast  -  Send values of rank source to all ranks.
    %
    %   [v1, v2, ...] = MPI_Bcast(source, tag, comm, v1, v2, ...)      the values are read on source only
    %
    % Either every rank calls it and gets the values back, or only source does, and the others receive them with
    % MPI_Recv(source, tag, comm); some may do this, some that. To them it is a message like one of MPI_Send, in its order.
    % Large values are written once: every other rank gets its own name of the same file.

    [source, tag] = check_arguments(source, tag, comm, false);
    if comm.rank == source
        values = varargin;
        multicast([0:source - 1, source + 1:comm.size - 1], tag, comm, 8, values);
    else
        values = receive_values(source, tag, comm);
    end
    varargout = check_outputs(values, nargout);
end
