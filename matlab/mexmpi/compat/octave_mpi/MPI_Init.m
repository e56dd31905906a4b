function info = MPI_Init()
    % MPI_Init  -  as in the package mpi of Octave: info = MPI_Init().

    info = octave_mpi_call('MPI_Init');
end
