function info = MPI_Errhandler_free(varargin)
    % MPI_Errhandler_free  -  as MPI-TB had it: info = MPI_Errhandler_free(...).

    info = mpitb_call('MPI_Errhandler_free', 0, varargin{:});
end
