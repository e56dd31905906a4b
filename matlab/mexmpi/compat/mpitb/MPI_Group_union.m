function [info, newgroup] = MPI_Group_union(varargin)
    % MPI_Group_union  -  as MPI-TB had it: [info, newgroup] = MPI_Group_union(...).

    [info, newgroup] = mpitb_call('MPI_Group_union', 1, varargin{:});
end
