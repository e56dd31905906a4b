function [info, intercomm, codes] = MPI_Comm_spawn(varargin)
    % MPI_Comm_spawn  -  as MPI-TB had it: [info, intercomm, codes] = MPI_Comm_spawn(...).

    [info, intercomm, codes] = mpitb_call('MPI_Comm_spawn', 2, varargin{:});
end
