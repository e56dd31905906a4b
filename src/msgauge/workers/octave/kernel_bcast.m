function kernel = kernel_bcast(item, comm)
    % From the first rank's start until the last rank has the message of the root.

    options = worker_options(item, {'root', {'0', 'last', 'middle', 'rotate', 'random'}, 'algorithm', {'native'}});
    roots = worker_roots(options.root, comm);
    payload = worker_payload(item.bytes, 0);
    kernel = worker_collective(@(turn) MPI_Bcast(roots(turn), 1, comm, payload), ...
                               @() verify(comm, roots(0), payload));
end

function same = verify(comm, root, payload)
    mine = payload;
    if comm.rank ~= root
        mine = [];
    end
    same = worker_equal(MPI_Bcast(root, 5, comm, mine), payload);
end
