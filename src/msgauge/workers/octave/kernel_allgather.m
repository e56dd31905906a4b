function kernel = kernel_allgather(item, comm)
    % From the first rank's start until every rank has a block of so many bytes from every rank.

    worker_options(item, {'algorithm', {'native'}});
    block = worker_payload(item.bytes, comm.rank);
    kernel = worker_collective(@(turn) MPI_Allgather(1, comm, block), @() verify(item, comm, block));
end

function same = verify(item, comm, block)
    got = MPI_Allgather(5, comm, block);
    same = numel(got) == comm.size;
    for rank = 0:numel(got) - 1
        same = same && worker_equal(got{rank + 1}, worker_payload(item.bytes, rank));
    end
end
