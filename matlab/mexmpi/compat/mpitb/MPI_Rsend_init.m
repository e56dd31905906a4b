function [info, request] = MPI_Rsend_init(varargin)
    % MPI_Rsend_init  -  as MPI-TB had it: [info, request] = MPI_Rsend_init(...).

    [info, request] = mpitb_call('MPI_Rsend_init', 1, varargin{:});
end
