function clock = worker_clock()
    % Cost and resolution of the interpreter's clock (tic and toc: microseconds since the epoch).

    count = 300;
    stamps = zeros(1, count, 'uint64');
    for k = 1:count
        stamps(k) = tic();
    end
    steps = double(diff(stamps)) * 1e3;
    clock.cost_ns = double(stamps(end) - stamps(1)) * 1e3 / (count - 1);
    clock.resolution_ns = min([steps(steps > 0), 1e6]);
end
