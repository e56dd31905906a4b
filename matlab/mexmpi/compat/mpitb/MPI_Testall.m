function [info, flag, stats, values] = MPI_Testall(varargin)
    % MPI_Testall  -  as MPI-TB had it: [info, flag, stats, values] = MPI_Testall(varargin).

    [info, flag, values, stats] = mpitb_call('MPI_Testall', 3, mpitb_list(varargin));
end
