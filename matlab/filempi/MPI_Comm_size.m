function count = MPI_Comm_size(comm)
    % MPI_Comm_size  -  Number of ranks of a communicator.

    count = comm.size;
end
