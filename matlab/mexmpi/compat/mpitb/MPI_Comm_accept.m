function [info, newcomm] = MPI_Comm_accept(varargin)
    % MPI_Comm_accept  -  as MPI-TB had it: [info, newcomm] = MPI_Comm_accept(...).

    [info, newcomm] = mpitb_call('MPI_Comm_accept', 1, varargin{:});
end
