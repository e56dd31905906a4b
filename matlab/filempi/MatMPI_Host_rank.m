function rank = MatMPI_Host_rank(comm)
    % MatMPI_Host_rank  -  The rank that runs in the session which called MPI_Run.

    rank = comm.host_rank;
end
