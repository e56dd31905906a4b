function info = MPI_Barrier(comm)
    % MPI_Barrier  -  as in the package mpi of Octave: info = MPI_Barrier(comm).

    info = octave_mpi_call('MPI_Barrier', comm);
end
