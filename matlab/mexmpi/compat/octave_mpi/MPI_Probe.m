function [stat, info] = MPI_Probe(source, tag, varargin)
    % MPI_Probe  -  as in the package mpi of Octave: [stat, info] = MPI_Probe(source, tag, comm).

    [info, stat] = octave_mpi_call('MPI_Probe', source, tag, varargin{:});
end
