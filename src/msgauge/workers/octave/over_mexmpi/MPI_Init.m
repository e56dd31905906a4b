function MPI_Init()
    % As of filempi, over MPI: the functions of this folder take arguments in the order of filempi and call mexmpi.

    mexmpi_call('MPI_Init');
end
