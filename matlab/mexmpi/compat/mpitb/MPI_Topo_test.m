function [info, topology] = MPI_Topo_test(varargin)
    % MPI_Topo_test  -  as MPI-TB had it: [info, topology] = MPI_Topo_test(...).

    [info, topology] = mpitb_call('MPI_Topo_test', 1, varargin{:});
end
