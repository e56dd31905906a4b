function timer = worker_clock()
    % Cost and resolution of the interpreter's clock: tic, in microseconds since the epoch.
    %
    % Octave 7 offers nothing finer: time, now, toc, cputime and getrusage all end at the microsecond, and no built-in
    % function reads CLOCK_MONOTONIC. So batches are made long against the step, and worker_cell holds the elapsed time
    % against the machine's uptime, which nobody can set: a cell during which the clock was set is an error.

    stamps = zeros(101, 10, 'uint64');
    for k = 1:numel(stamps)
        stamps(k) = tic();
    end
    [cost, step] = worker_clock_facts(double(stamps - stamps(1)));
    timer = struct('cost_ns', cost * 1e3, 'resolution_ns', step * 1e3);
end
