function [info, group] = MPI_Comm_group(varargin)
    % MPI_Comm_group  -  as MPI-TB had it: [info, group] = MPI_Comm_group(...).

    [info, group] = mpitb_call('MPI_Comm_group', 1, varargin{:});
end
