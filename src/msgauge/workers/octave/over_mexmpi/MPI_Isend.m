function request = MPI_Isend(dest, tag, comm, value)
    % As of filempi, over MPI.

    request = mexmpi_call('MPI_Isend', value, dest, tag, comm.handle);
end
