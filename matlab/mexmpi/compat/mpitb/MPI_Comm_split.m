function [info, newcomm] = MPI_Comm_split(varargin)
    % MPI_Comm_split  -  as MPI-TB had it: [info, newcomm] = MPI_Comm_split(...).

    [info, newcomm] = mpitb_call('MPI_Comm_split', 1, varargin{:});
end
