function [info, newcomm] = MPI_Comm_dup(varargin)
    % MPI_Comm_dup  -  as MPI-TB had it: [info, newcomm] = MPI_Comm_dup(...).

    [info, newcomm] = mpitb_call('MPI_Comm_dup', 1, varargin{:});
end
