function ns = worker_start_limit(clock)
    % A rank that begins a round later than this after the agreed time was held up between its arrival and its start.

    ns = floor(max(8 * clock.cost_ns, 2 * clock.resolution_ns));
end
