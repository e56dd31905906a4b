function [info, newcomm] = MPI_Cart_sub(varargin)
    % MPI_Cart_sub  -  as MPI-TB had it: [info, newcomm] = MPI_Cart_sub(...).

    [info, newcomm] = mpitb_call('MPI_Cart_sub', 1, varargin{:});
end
