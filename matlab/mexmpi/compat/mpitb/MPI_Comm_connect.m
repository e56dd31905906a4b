function [info, newcomm] = MPI_Comm_connect(varargin)
    % MPI_Comm_connect  -  as MPI-TB had it: [info, newcomm] = MPI_Comm_connect(...).

    [info, newcomm] = mpitb_call('MPI_Comm_connect', 1, varargin{:});
end
