function value = MPI_Wait(request)
    % As of filempi, over MPI.

    value = mexmpi_call('MPI_Wait', request);
end
