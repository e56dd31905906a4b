function info = MPI_Close_port(varargin)
    % MPI_Close_port  -  as MPI-TB had it: info = MPI_Close_port(...).

    info = mpitb_call('MPI_Close_port', 0, varargin{:});
end
