function info = MPI_Unpublish_name(svc, inf, port)
    % MPI_Unpublish_name  -  as MPI-TB had it: info = MPI_Unpublish_name(svc, inf, port).

    info = mpitb_call('MPI_Unpublish_name', 0, svc, inf, port);
end
