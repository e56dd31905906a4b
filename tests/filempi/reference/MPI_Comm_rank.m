function rank = MPI_Comm_rank(comm)
    rank = comm.rank;
end
