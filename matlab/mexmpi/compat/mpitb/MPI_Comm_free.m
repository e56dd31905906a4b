function info = MPI_Comm_free(varargin)
    % MPI_Comm_free  -  as MPI-TB had it: info = MPI_Comm_free(...).

    info = mpitb_call('MPI_Comm_free', 0, varargin{:});
end
