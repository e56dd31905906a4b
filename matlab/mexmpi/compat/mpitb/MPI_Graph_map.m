function [info, rank] = MPI_Graph_map(varargin)
    % MPI_Graph_map  -  as MPI-TB had it: [info, rank] = MPI_Graph_map(...).

    [info, rank] = mpitb_call('MPI_Graph_map', 1, varargin{:});
end
