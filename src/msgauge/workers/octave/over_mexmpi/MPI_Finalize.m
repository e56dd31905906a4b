function MPI_Finalize()
    % As of filempi, over MPI.

    mexmpi_call('MPI_Finalize');
end
