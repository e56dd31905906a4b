function kernel = kernel_scatter(item, comm)
    % From the first rank's start until every rank has its block of so many bytes from the root.

    options = worker_options(item, {'root', {'0', 'last', 'middle', 'rotate', 'random'}, 'algorithm', {'native'}});
    roots = worker_roots(options.root, comm);
    blocks = arrayfun(@(rank) worker_payload(item.bytes, rank), 0:comm.size - 1, 'UniformOutput', false);
    kernel = worker_collective(@(turn) MPI_Scatter(roots(turn), 1, comm, blocks), ...
                               @() worker_equal(MPI_Scatter(roots(0), 5, comm, blocks), blocks{comm.rank + 1}));
end
