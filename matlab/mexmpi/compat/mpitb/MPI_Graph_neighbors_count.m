function [info, count] = MPI_Graph_neighbors_count(varargin)
    % MPI_Graph_neighbors_count  -  as MPI-TB had it: [info, count] = MPI_Graph_neighbors_count(...).

    [info, count] = mpitb_call('MPI_Graph_neighbors_count', 1, varargin{:});
end
