function values = MPI_Allgather(tag, comm, value) %#ok<INUSL>
    % As of filempi, over MPI: a cell of the ranks' values, which MPI_Allgather alone would stack where they are alike.

    values = mexmpi_call('MPI_Allgather', {value}, comm.handle);
    values = [values{:}];
end
