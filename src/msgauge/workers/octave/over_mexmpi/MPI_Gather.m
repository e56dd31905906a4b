function values = MPI_Gather(root, tag, comm, value) %#ok<INUSL>
    % As of filempi, over MPI: a cell of the ranks' values, which MPI_Gather alone would stack where they are alike.

    values = mexmpi_call('MPI_Gather', {value}, root, comm.handle);
    if comm.rank == root
        values = [values{:}];
    else
        values = {};
    end
end
