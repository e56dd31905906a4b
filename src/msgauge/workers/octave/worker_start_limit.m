function ns = worker_start_limit(empty_ns, resolution_ns)
    % A rank that begins a round later than this after the agreed time was held up between its arrival and its start.

    ns = floor(max(8 * empty_ns, 2 * resolution_ns));
end
