function MPI_Send(dest, tag, comm, value)
    % As of filempi, over MPI.

    mexmpi_call('MPI_Send', value, dest, tag, comm.handle);
end
