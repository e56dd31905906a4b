function [info, rank] = MPI_Comm_rank(varargin)
    % MPI_Comm_rank  -  as MPI-TB had it: [info, rank] = MPI_Comm_rank(...).

    [info, rank] = mpitb_call('MPI_Comm_rank', 1, varargin{:});
end
