function [info, dims2] = MPI_Dims_create(varargin)
    % MPI_Dims_create  -  as MPI-TB had it: [info, dims2] = MPI_Dims_create(...).

    [info, dims2] = mpitb_call('MPI_Dims_create', 1, varargin{:});
end
