function info = MPI_Finalize()
    % MPI_Finalize  -  as in the package mpi of Octave: info = MPI_Finalize().

    octave_mpi_waiting([]);
    info = octave_mpi_call('MPI_Finalize');
end
