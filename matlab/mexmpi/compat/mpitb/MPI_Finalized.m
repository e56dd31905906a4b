function [info, flag] = MPI_Finalized(varargin)
    % MPI_Finalized  -  as MPI-TB had it: [info, flag] = MPI_Finalized(...).

    [info, flag] = mpitb_call('MPI_Finalized', 1, varargin{:});
end
