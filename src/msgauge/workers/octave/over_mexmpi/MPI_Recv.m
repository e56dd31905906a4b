function value = MPI_Recv(source, tag, comm)
    % As of filempi, over MPI. Who sent is kept for MPI_Status where it was not given.

    if ischar(source)
        [value, status] = mexmpi_call('MPI_Recv', source, tag, comm.handle);
        MPI_Status(status);
    else
        value = mexmpi_call('MPI_Recv', source, tag, comm.handle);
    end
end
