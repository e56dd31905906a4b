function [info, source, dest] = MPI_Cart_shift(varargin)
    % MPI_Cart_shift  -  as MPI-TB had it: [info, source, dest] = MPI_Cart_shift(...).

    [info, source, dest] = mpitb_call('MPI_Cart_shift', 2, varargin{:});
end
