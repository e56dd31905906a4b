function row = MPI_Allreduce(tag, comm, row, operation) %#ok<INUSL>
    % As of filempi, over MPI, by MPI's own operations.

    row = mexmpi_call('MPI_Allreduce', row, mpi_operation(operation), comm.handle);
end
