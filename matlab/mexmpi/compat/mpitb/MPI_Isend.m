function [info, request] = MPI_Isend(varargin)
    % MPI_Isend  -  as MPI-TB had it: [info, request] = MPI_Isend(...).

    [info, request] = mpitb_call('MPI_Isend', 1, varargin{:});
end
