function kernel = kernel_gather(item, comm)
    % From the first rank's start until the root has a block of so many bytes from every rank.

    options = worker_options(item, {'root', {'0', 'last', 'middle', 'rotate', 'random'}, 'algorithm', {'native'}});
    roots = worker_roots(options.root, comm);
    block = worker_payload(item.bytes, comm.rank);
    kernel = worker_collective(@(turn) MPI_Gather(roots(turn), 1, comm, block), @() verify(item, comm, roots(0), block));
end

function same = verify(item, comm, root, block)
    got = MPI_Gather(root, 5, comm, block);
    same = numel(got) == comm.size * (comm.rank == root);
    for rank = 0:numel(got) - 1
        same = same && worker_equal(got{rank + 1}, worker_payload(item.bytes, rank));
    end
end
