function MPI_Barrier(comm)
    % As of filempi, over MPI.

    mexmpi_call('MPI_Barrier', comm.handle);
end
