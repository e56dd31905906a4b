function [info, errhandler] = MPI_Errhandler_get(varargin)
    % MPI_Errhandler_get  -  as MPI-TB had it: [info, errhandler] = MPI_Errhandler_get(...).

    [info, errhandler] = mpitb_call('MPI_Comm_get_errhandler', 1, varargin{:});
end
