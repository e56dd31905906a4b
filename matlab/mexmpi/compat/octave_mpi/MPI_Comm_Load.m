function comm = MPI_Comm_Load(label)
    % MPI_Comm_Load  -  as in the package mpi of Octave: comm = MPI_Comm_Load(label).

    if ~ischar(label)
        error('mpi:badInput', 'MPI_Comm_Load: the label of a communicator is text');
    end
    comm = mexmpi_call('MPI_COMM_WORLD');
end
