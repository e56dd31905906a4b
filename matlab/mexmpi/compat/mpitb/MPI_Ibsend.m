function [info, request] = MPI_Ibsend(varargin)
    % MPI_Ibsend  -  as MPI-TB had it: [info, request] = MPI_Ibsend(...).

    [info, request] = mpitb_call('MPI_Ibsend', 1, varargin{:});
end
