function [info, result] = MPI_Group_compare(varargin)
    % MPI_Group_compare  -  as MPI-TB had it: [info, result] = MPI_Group_compare(...).

    [info, result] = mpitb_call('MPI_Group_compare', 1, varargin{:});
end
