function values = MPI_Alltoall(tag, comm, values) %#ok<INUSL>
    % As of filempi, over MPI: cells with an element for each rank.

    values = mexmpi_call('MPI_Alltoall', values, comm.handle);
end
