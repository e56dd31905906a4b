function rank = MPI_Comm_rank(comm)
    % MPI_Comm_rank  -  This process's rank in a communicator, from 0. Raises MPI:badComm.

    if ~(isstruct(comm) && isfield(comm, 'rank'))
        error('MPI:badComm', 'This is no communicator: take MPI_COMM_WORLD after MPI_Init.');
    end
    rank = comm.rank;
end
