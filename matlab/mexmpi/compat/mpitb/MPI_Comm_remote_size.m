function [info, size] = MPI_Comm_remote_size(varargin)
    % MPI_Comm_remote_size  -  as MPI-TB had it: [info, size] = MPI_Comm_remote_size(...).

    [info, size] = mpitb_call('MPI_Comm_remote_size', 1, varargin{:});
end
