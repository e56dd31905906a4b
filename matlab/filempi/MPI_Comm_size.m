function count = MPI_Comm_size(comm)
    % MPI_Comm_size  -  Number of ranks of a communicator. Raises MPI:badComm.

    if ~(isstruct(comm) && isfield(comm, 'size'))
        error('MPI:badComm', 'This is no communicator: take MPI_COMM_WORLD after MPI_Init.');
    end
    count = comm.size;
end
