function value = MPI_Scatter(root, tag, comm, values) %#ok<INUSL>
    % As of filempi, over MPI: a cell with an element for each rank.

    value = mexmpi_call('MPI_Scatter', values, root, comm.handle);
end
