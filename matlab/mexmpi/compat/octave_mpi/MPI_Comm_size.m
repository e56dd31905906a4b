function [ranks, info] = MPI_Comm_size(varargin)
    % MPI_Comm_size  -  as in the package mpi of Octave: [ranks, info] = MPI_Comm_size(comm).

    [info, ranks] = octave_mpi_call('MPI_Comm_size', varargin{:});
end
