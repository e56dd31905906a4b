function info = MPI_Barrier(varargin)
    % MPI_Barrier  -  as MPI-TB had it: info = MPI_Barrier(...).

    info = mpitb_call('MPI_Barrier', 0, varargin{:});
end
