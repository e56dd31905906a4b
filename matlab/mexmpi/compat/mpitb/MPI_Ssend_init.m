function [info, request] = MPI_Ssend_init(varargin)
    % MPI_Ssend_init  -  as MPI-TB had it: [info, request] = MPI_Ssend_init(...).

    [info, request] = mpitb_call('MPI_Ssend_init', 1, varargin{:});
end
