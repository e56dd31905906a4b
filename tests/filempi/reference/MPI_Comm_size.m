function count = MPI_Comm_size(comm)
    count = comm.size;
end
