function [info, coords] = MPI_Cart_coords(varargin)
    % MPI_Cart_coords  -  as MPI-TB had it: [info, coords] = MPI_Cart_coords(...).

    [info, coords] = mpitb_call('MPI_Cart_coords', 1, varargin{:});
end
