function info = MPI_Send(varargin)
    % MPI_Send  -  as MPI-TB had it: info = MPI_Send(...).

    info = mpitb_call('MPI_Send', 0, varargin{:});
end
