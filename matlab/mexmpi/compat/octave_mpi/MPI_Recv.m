function [value, info] = MPI_Recv(source, tag, varargin)
    % MPI_Recv  -  as in the package mpi of Octave: [value, info] = MPI_Recv(source, tag, comm).

    [info, value] = octave_mpi_call('MPI_Recv', source, tag, varargin{:});
end
