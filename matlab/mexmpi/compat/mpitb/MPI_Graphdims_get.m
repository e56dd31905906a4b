function [info, nodes, edges] = MPI_Graphdims_get(varargin)
    % MPI_Graphdims_get  -  as MPI-TB had it: [info, nodes, edges] = MPI_Graphdims_get(...).

    [info, nodes, edges] = mpitb_call('MPI_Graphdims_get', 2, varargin{:});
end
