function [info, newgroup] = MPI_Group_difference(varargin)
    % MPI_Group_difference  -  as MPI-TB had it: [info, newgroup] = MPI_Group_difference(...).

    [info, newgroup] = mpitb_call('MPI_Group_difference', 1, varargin{:});
end
