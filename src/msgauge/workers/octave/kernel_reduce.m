function kernel = kernel_reduce(item, comm)
    % From the first rank's start until the root has the combined row.

    [row, combine, options, expected] = worker_reduction(item, comm, {'root', {'0', 'last', 'middle', 'rotate', 'random'}});
    roots = worker_roots(options.root, comm);
    kernel = worker_collective(@(turn) MPI_Reduce(roots(turn), 1, comm, row, combine), ...
                               @() verify(comm, roots(0), row, combine, expected));
end

function same = verify(comm, root, row, combine, expected)
    got = MPI_Reduce(root, 5, comm, row, combine);
    same = comm.rank ~= root || worker_equal(got, expected);
end
