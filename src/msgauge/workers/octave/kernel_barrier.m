function kernel = kernel_barrier(item, comm)
    % From the first rank's start until the last rank has left the barrier.

    worker_options(item, {'algorithm', {'native'}});
    kernel = worker_collective(@(turn) MPI_Barrier(comm), @() verify(comm));
end

function same = verify(comm)
    % A rank that goes into the barrier late lets nobody out before.
    if comm.rank == comm.size - 1
        pause(0.01);
    end
    entered = double(tic());
    MPI_Barrier(comm);
    left = double(tic());
    all_entered = MPI_Allgather(5, comm, entered);
    same = left >= max([all_entered{:}]);
end
