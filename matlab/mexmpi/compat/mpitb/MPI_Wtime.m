function secs = MPI_Wtime()
    % MPI_Wtime  -  as MPI-TB had it.

    secs = mexmpi_call('MPI_Wtime');
end
