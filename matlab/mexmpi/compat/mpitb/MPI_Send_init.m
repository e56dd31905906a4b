function [info, request] = MPI_Send_init(varargin)
    % MPI_Send_init  -  as MPI-TB had it: [info, request] = MPI_Send_init(...).

    [info, request] = mpitb_call('MPI_Send_init', 1, varargin{:});
end
