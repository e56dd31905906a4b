function [rank, info] = MPI_Comm_rank(varargin)
    % MPI_Comm_rank  -  as in the package mpi of Octave: [rank, info] = MPI_Comm_rank(comm).

    [info, rank] = octave_mpi_call('MPI_Comm_rank', varargin{:});
end
