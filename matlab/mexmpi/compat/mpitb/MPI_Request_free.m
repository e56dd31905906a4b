function info = MPI_Request_free(varargin)
    % MPI_Request_free  -  as MPI-TB had it: info = MPI_Request_free(...).

    info = mpitb_call('MPI_Request_free', 0, varargin{:});
end
