function [info, rank] = MPI_Group_rank(varargin)
    % MPI_Group_rank  -  as MPI-TB had it: [info, rank] = MPI_Group_rank(...).

    [info, rank] = mpitb_call('MPI_Group_rank', 1, varargin{:});
end
