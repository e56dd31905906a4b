function [done, value] = MPI_Test(request)
    % As of filempi, over MPI.

    [done, value] = mexmpi_call('MPI_Test', request);
end
