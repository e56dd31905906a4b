function [info, newgroup] = MPI_Group_intersection(varargin)
    % MPI_Group_intersection  -  as MPI-TB had it: [info, newgroup] = MPI_Group_intersection(...).

    [info, newgroup] = mpitb_call('MPI_Group_intersection', 1, varargin{:});
end
