function [info, index, edges] = MPI_Graph_get(varargin)
    % MPI_Graph_get  -  as MPI-TB had it: [info, index, edges] = MPI_Graph_get(...).

    [info, index, edges] = mpitb_call('MPI_Graph_get', 2, varargin{:});
end
