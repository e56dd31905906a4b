function [info, rank] = MPI_Cart_rank(varargin)
    % MPI_Cart_rank  -  as MPI-TB had it: [info, rank] = MPI_Cart_rank(...).

    [info, rank] = mpitb_call('MPI_Cart_rank', 1, varargin{:});
end
