function [flag, stat, info] = MPI_Iprobe(source, tag, varargin)
    % MPI_Iprobe  -  as in the package mpi of Octave: [flag, stat, info] = MPI_Iprobe(source, tag, comm).

    [info, flag, stat] = octave_mpi_call('MPI_Iprobe', source, tag, varargin{:});
end
