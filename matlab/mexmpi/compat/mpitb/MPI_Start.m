function info = MPI_Start(req)
    % MPI_Start  -  as MPI-TB had it: info = MPI_Start(req).

    info = mpitb_call('MPI_Start', 0, req);
end
