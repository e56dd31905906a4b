function [info, request] = MPI_Irsend(varargin)
    % MPI_Irsend  -  as MPI-TB had it: [info, request] = MPI_Irsend(...).

    [info, request] = mpitb_call('MPI_Irsend', 1, varargin{:});
end
