function [info, flag, val] = MPI_Info_get(inf, key)
    % MPI_Info_get  -  as MPI-TB had it: [info, flag, val] = MPI_Info_get(inf, key).

    [info, val, flag] = mpitb_call('MPI_Info_get', 2, inf, key);
end
