function [info, result] = MPI_Comm_compare(varargin)
    % MPI_Comm_compare  -  as MPI-TB had it: [info, result] = MPI_Comm_compare(...).

    [info, result] = mpitb_call('MPI_Comm_compare', 1, varargin{:});
end
