function [info, ndims] = MPI_Cartdim_get(varargin)
    % MPI_Cartdim_get  -  as MPI-TB had it: [info, ndims] = MPI_Cartdim_get(...).

    [info, ndims] = mpitb_call('MPI_Cartdim_get', 1, varargin{:});
end
