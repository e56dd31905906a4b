function [name, len, info] = MPI_Get_processor_name()
    % MPI_Get_processor_name  -  as in the package mpi of Octave: [name, len, info] = MPI_Get_processor_name().

    [info, name] = octave_mpi_call('MPI_Get_processor_name');
    len = numel(name);
end
