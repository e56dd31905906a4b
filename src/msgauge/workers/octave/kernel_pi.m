function kernel = kernel_pi(item, comm)
    % Pi as the area under 4/(1+x^2) in n trapezoids: each rank adds up a stretch of them, one reduction adds the stretches.

    options = worker_options(item, {'n', {'1000000', '100000', '10000000', '100000000'}});
    count = str2double(options.n);
    serial_ns = 0;
    expected = 0;
    if comm.rank == 0
        [expected, serial_ns] = worker_reference(@() sum(arrayfun(@(rank) part_of(count, rank, comm.size), 0:comm.size - 1)));
    end
    MPI_Barrier(comm);
    kernel = worker_self_timed(@(~) run(comm, count, serial_ns), @() verify(comm, count, expected), 'reduce');
end

function [values, answer] = run(comm, count, serial_ns)
    used = cputime();
    started = tic();
    part = part_of(count, comm.rank, comm.size);
    computed = tic();
    answer = MPI_Reduce(0, 1, comm, part, 'sum');
    ended = tic();
    values = [double([ended - started, computed - started, ended - computed]) * 1e3, (cputime() - used) * 1e9, ...
              serial_ns, double(ended - computed) * 1e3];
end

function same = verify(comm, count, expected)
    [~, answer] = run(comm, count, 0);
    same = comm.rank ~= 0 || (answer == expected && abs(answer - pi) <= 1e-10);
end

function area = part_of(count, rank, ranks)
    % In whole multiples of 2^-50, so that parts add up exactly in any order.
    first = floor(count * rank / ranks);
    last = floor(count * (rank + 1) / ranks);
    total = 0;
    for low = first + 1:65536:last - 1
        x = (low:min(low + 65535, last - 1)) / count;
        total = total + sum(4 ./ (1 + x .* x));
    end
    ends = 4 ./ (1 + ([first, last] / count).^2);
    area = (first < last) * round((total + sum(ends) / 2) / count * 2^50) / 2^50;
end
