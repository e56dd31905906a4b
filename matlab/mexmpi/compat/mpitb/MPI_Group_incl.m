function [info, newgroup] = MPI_Group_incl(varargin)
    % MPI_Group_incl  -  as MPI-TB had it: [info, newgroup] = MPI_Group_incl(...).

    [info, newgroup] = mpitb_call('MPI_Group_incl', 1, varargin{:});
end
