function info = MPI_Comm_disconnect(varargin)
    % MPI_Comm_disconnect  -  as MPI-TB had it: info = MPI_Comm_disconnect(...).

    info = mpitb_call('MPI_Comm_disconnect', 0, varargin{:});
end
