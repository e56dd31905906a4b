function [info, port] = MPI_Open_port(varargin)
    % MPI_Open_port  -  as MPI-TB had it: [info, port] = MPI_Open_port(...).

    [info, port] = mpitb_call('MPI_Open_port', 1, varargin{:});
end
