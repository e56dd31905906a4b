function info = MPI_Publish_name(svc, inf, port)
    % MPI_Publish_name  -  as MPI-TB had it: info = MPI_Publish_name(svc, inf, port).

    info = mpitb_call('MPI_Publish_name', 0, svc, inf, port);
end
