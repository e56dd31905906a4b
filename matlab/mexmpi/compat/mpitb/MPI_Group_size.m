function [info, size] = MPI_Group_size(varargin)
    % MPI_Group_size  -  as MPI-TB had it: [info, size] = MPI_Group_size(...).

    [info, size] = mpitb_call('MPI_Group_size', 1, varargin{:});
end
