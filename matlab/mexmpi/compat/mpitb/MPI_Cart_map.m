function [info, rank] = MPI_Cart_map(varargin)
    % MPI_Cart_map  -  as MPI-TB had it: [info, rank] = MPI_Cart_map(...).

    [info, rank] = mpitb_call('MPI_Cart_map', 1, varargin{:});
end
