function request = MPI_Irecv(source, tag, comm)
    % As of filempi, over MPI.

    request = mexmpi_call('MPI_Irecv', source, tag, comm.handle);
end
