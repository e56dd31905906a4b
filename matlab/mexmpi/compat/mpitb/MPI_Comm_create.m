function [info, newcomm] = MPI_Comm_create(varargin)
    % MPI_Comm_create  -  as MPI-TB had it: [info, newcomm] = MPI_Comm_create(...).

    [info, newcomm] = mpitb_call('MPI_Comm_create', 1, varargin{:});
end
