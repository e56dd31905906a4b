function [info, request] = MPI_Bsend_init(varargin)
    % MPI_Bsend_init  -  as MPI-TB had it: [info, request] = MPI_Bsend_init(...).

    [info, request] = mpitb_call('MPI_Bsend_init', 1, varargin{:});
end
