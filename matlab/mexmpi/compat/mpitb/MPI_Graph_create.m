function [info, newcomm] = MPI_Graph_create(varargin)
    % MPI_Graph_create  -  as MPI-TB had it: [info, newcomm] = MPI_Graph_create(...).

    [info, newcomm] = mpitb_call('MPI_Graph_create', 1, varargin{:});
end
