function [info, newcomm] = MPI_Intercomm_merge(varargin)
    % MPI_Intercomm_merge  -  as MPI-TB had it: [info, newcomm] = MPI_Intercomm_merge(...).

    [info, newcomm] = mpitb_call('MPI_Intercomm_merge', 1, varargin{:});
end
