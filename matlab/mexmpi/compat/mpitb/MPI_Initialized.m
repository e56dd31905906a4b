function [info, flag] = MPI_Initialized(varargin)
    % MPI_Initialized  -  as MPI-TB had it: [info, flag] = MPI_Initialized(...).

    [info, flag] = mpitb_call('MPI_Initialized', 1, varargin{:});
end
