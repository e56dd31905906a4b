function info = MPI_Errhandler_set(varargin)
    % MPI_Errhandler_set  -  as MPI-TB had it: info = MPI_Errhandler_set(...).

    info = mpitb_call('MPI_Comm_set_errhandler', 0, varargin{:});
end
