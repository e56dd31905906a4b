function timer = worker_clock()
    % Cost and resolution of the interpreter's clock: tic, in microseconds since the epoch.
    %
    % Octave 7 offers nothing finer: time, now, toc, cputime and getrusage all end at the microsecond, and no built-in
    % function reads CLOCK_MONOTONIC. So batches are made long against the step, and worker_cell holds the elapsed time
    % against the machine's uptime, which nobody can set: a cell during which the clock was set is an error.

    count = 300;
    stamps = zeros(1, count, 'uint64');
    for k = 1:count
        stamps(k) = tic();
    end
    steps = double(diff(stamps)) * 1e3;
    timer.cost_ns = double(stamps(end) - stamps(1)) * 1e3 / (count - 1);
    timer.resolution_ns = min([steps(steps > 0), 1e6]);
end
