function varargout = MPI_Bcast(source, tag, comm, varargin)
    % Of the values a receiver gets the first, and the sender waits until all have received.
    if comm.rank ~= source
        varargout = {MPI_Recv(source, tag, comm)};
    else
        MPI_Mcast(source, 0:comm.size - 1, tag, comm, varargin{:});
        varargout = varargin;
    end
end
