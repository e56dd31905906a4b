function comm = MPI_COMM_WORLD()
    % MPI_COMM_WORLD  -  The communicator of all ranks of the job, after MPI_Init.

    comm = world_comm();
end
