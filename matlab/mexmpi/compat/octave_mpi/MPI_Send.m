function info = MPI_Send(value, ranks, tag, varargin)
    % MPI_Send  -  as in the package mpi of Octave: info = MPI_Send(value, ranks, tag, comm), one code for each rank.

    own = mexmpi_call('MPI_Comm_rank', varargin{:});
    info = zeros(numel(ranks), 1, 'int32');
    for k = 1:numel(ranks)
        if ranks(k) == own
            [info(k), request] = octave_mpi_call('MPI_Isend', value, own, tag, varargin{:});
            octave_mpi_waiting(request);
        else
            info(k) = octave_mpi_call('MPI_Send', value, double(ranks(k)), tag, varargin{:});
        end
    end
end
