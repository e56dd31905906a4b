function info = MPI_Init(varargin)
    % MPI_Init  -  as MPI-TB had it: info = MPI_Init(...).

    info = mpitb_call('MPI_Init', 0, varargin{:});
end
