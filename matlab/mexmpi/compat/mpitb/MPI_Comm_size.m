function [info, size] = MPI_Comm_size(varargin)
    % MPI_Comm_size  -  as MPI-TB had it: [info, size] = MPI_Comm_size(...).

    [info, size] = mpitb_call('MPI_Comm_size', 1, varargin{:});
end
