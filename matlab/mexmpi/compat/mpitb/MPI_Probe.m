function [info, status] = MPI_Probe(varargin)
    % MPI_Probe  -  as MPI-TB had it: [info, status] = MPI_Probe(...).

    [info, status] = mpitb_call('MPI_Probe', 1, varargin{:});
end
