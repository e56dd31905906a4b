function [info, count] = MPI_Get_elements(varargin)
    % MPI_Get_elements  -  as MPI-TB had it: [info, count] = MPI_Get_elements(...).

    [info, count] = mpitb_call('MPI_Get_elements', 1, varargin{:});
end
