function [info, newcomm] = MPI_Cart_create(varargin)
    % MPI_Cart_create  -  as MPI-TB had it: [info, newcomm] = MPI_Cart_create(...).

    [info, newcomm] = mpitb_call('MPI_Cart_create', 1, varargin{:});
end
