function [info, port] = MPI_Lookup_name(svc, inf)
    % MPI_Lookup_name  -  as MPI-TB had it: [info, port] = MPI_Lookup_name(svc, inf).

    [info, port] = mpitb_call('MPI_Lookup_name', 1, svc, inf);
end
