function kernel = kernel_allreduce(item, comm)
    % From the first rank's start until the last rank has the combined row.

    [row, combine, ~, expected] = worker_reduction(item, comm, {});
    kernel = worker_collective(@(turn) MPI_Allreduce(1, comm, row, combine), ...
                               @() worker_equal(MPI_Allreduce(5, comm, row, combine), expected));
end
