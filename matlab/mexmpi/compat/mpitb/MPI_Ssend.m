function info = MPI_Ssend(varargin)
    % MPI_Ssend  -  as MPI-TB had it: info = MPI_Ssend(...).

    info = mpitb_call('MPI_Ssend', 0, varargin{:});
end
