function [info, request] = MPI_Issend(varargin)
    % MPI_Issend  -  as MPI-TB had it: [info, request] = MPI_Issend(...).

    [info, request] = mpitb_call('MPI_Issend', 1, varargin{:});
end
