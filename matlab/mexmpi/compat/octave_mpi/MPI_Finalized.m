function [flag, info] = MPI_Finalized()
    % MPI_Finalized  -  as in the package mpi of Octave: [flag, info] = MPI_Finalized().

    [info, flag] = octave_mpi_call('MPI_Finalized');
end
