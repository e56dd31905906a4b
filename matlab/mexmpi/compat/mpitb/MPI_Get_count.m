function [info, count] = MPI_Get_count(stat)
    % MPI_Get_count  -  as MPI-TB had it: [info, count] = MPI_Get_count(stat).

    [info, count] = mpitb_call('MPI_Get_count', 1, stat);
end
