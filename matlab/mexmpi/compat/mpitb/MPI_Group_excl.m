function [info, newgroup] = MPI_Group_excl(varargin)
    % MPI_Group_excl  -  as MPI-TB had it: [info, newgroup] = MPI_Group_excl(...).

    [info, newgroup] = mpitb_call('MPI_Group_excl', 1, varargin{:});
end
