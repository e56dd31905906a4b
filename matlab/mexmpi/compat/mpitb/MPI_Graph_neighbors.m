function [info, neighbors] = MPI_Graph_neighbors(varargin)
    % MPI_Graph_neighbors  -  as MPI-TB had it: [info, neighbors] = MPI_Graph_neighbors(...).

    [info, neighbors] = mpitb_call('MPI_Graph_neighbors', 1, varargin{:});
end
