function [flag, info] = MPI_Initialized()
    % MPI_Initialized  -  as in the package mpi of Octave: [flag, info] = MPI_Initialized().

    [info, flag] = octave_mpi_call('MPI_Initialized');
end
