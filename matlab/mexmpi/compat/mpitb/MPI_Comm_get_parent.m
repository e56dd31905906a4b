function [info, intercomm] = MPI_Comm_get_parent(varargin)
    % MPI_Comm_get_parent  -  as MPI-TB had it: [info, intercomm] = MPI_Comm_get_parent(...).

    [info, intercomm] = mpitb_call('MPI_Comm_get_parent', 1, varargin{:});
end
