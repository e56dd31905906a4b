function info = MPI_Buffer_detach()
    % MPI_Buffer_detach  -  as MPI-TB had it: info = MPI_Buffer_detach().

    [info, bytes] = mpitb_call('MPI_Buffer_detach', 1);
end
