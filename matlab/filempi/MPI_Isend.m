function request = MPI_Isend(dest, tag, comm, varargin)
    % MPI_Isend  -  Send without waiting; sending never waits here, so the request is complete when this returns.
    %
    %   request = MPI_Isend(dest, tag, comm, v1, v2, ...)

    send_message(dest, tag, comm, 0, varargin);
    request = struct('number', 0, 'source', dest, 'tag', tag, 'comm', comm);
end
