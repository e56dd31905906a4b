function rank = MPI_Comm_rank(comm)
    % MPI_Comm_rank  -  This process's rank in a communicator, from 0.

    rank = comm.rank;
end
