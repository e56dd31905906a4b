function [info, flag, stat] = MPI_Test_cancelled(stat)
    % MPI_Test_cancelled  -  as MPI-TB had it: [info, flag, stat] = MPI_Test_cancelled(stat).

    [info, flag] = mpitb_call('MPI_Test_cancelled', 1, stat);
end
