function kernel = kernel_alltoall(item, comm)
    % From the first rank's start until every rank has its block of so many bytes from every rank.

    worker_options(item, {'algorithm', {'native'}});
    blocks = arrayfun(@(to) worker_payload(item.bytes, comm.size * comm.rank + to), 0:comm.size - 1, ...
                      'UniformOutput', false);
    kernel = worker_collective(@(turn) MPI_Alltoall(1, comm, blocks), @() verify(item, comm, blocks));
end

function same = verify(item, comm, blocks)
    got = MPI_Alltoall(5, comm, blocks);
    same = numel(got) == comm.size;
    for rank = 0:numel(got) - 1
        same = same && worker_equal(got{rank + 1}, worker_payload(item.bytes, comm.size * rank + comm.rank));
    end
end
