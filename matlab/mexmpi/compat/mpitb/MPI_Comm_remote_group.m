function [info, group] = MPI_Comm_remote_group(varargin)
    % MPI_Comm_remote_group  -  as MPI-TB had it: [info, group] = MPI_Comm_remote_group(...).

    [info, group] = mpitb_call('MPI_Comm_remote_group', 1, varargin{:});
end
