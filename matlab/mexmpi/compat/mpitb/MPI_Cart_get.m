function [info, dims, periods, coords] = MPI_Cart_get(varargin)
    % MPI_Cart_get  -  as MPI-TB had it: [info, dims, periods, coords] = MPI_Cart_get(...).

    [info, dims, periods, coords] = mpitb_call('MPI_Cart_get', 3, varargin{:});
end
