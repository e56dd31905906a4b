function row = MPI_Reduce(root, tag, comm, row, operation) %#ok<INUSL>
    % As of filempi, over MPI, by MPI's own operations.

    row = mexmpi_call('MPI_Reduce', row, mpi_operation(operation), root, comm.handle);
end
