function [info, newcomm] = MPI_Intercomm_create(varargin)
    % MPI_Intercomm_create  -  as MPI-TB had it: [info, newcomm] = MPI_Intercomm_create(...).

    [info, newcomm] = mpitb_call('MPI_Intercomm_create', 1, varargin{:});
end
