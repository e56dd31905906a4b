function [info, idx, flag, stat, value] = MPI_Testany(varargin)
    % MPI_Testany  -  as MPI-TB had it: [info, idx, flag, stat, value] = MPI_Testany(varargin).

    [info, flag, idx, value, stat] = mpitb_call('MPI_Testany', 4, mpitb_list(varargin));
    idx = idx - 1;
end
