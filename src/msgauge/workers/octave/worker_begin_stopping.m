function state = worker_begin_stopping(budget_ns, precision, single, sample_ns)
    % What worker_stopping keeps of a cell. single: every operation is timed, for the tails, and P99.9 needs 10000 of them.
    % sample_ns: about how long one sample takes. state.chunk: how many samples to take next.

    state = struct('budget_ns', budget_ns, 'allowed_ns', budget_ns, 'precision', precision, 'capacity', 65536, ...
                   'least', 64, 'had', 0, 'extensions', 0, 'without_gain', 0, 'dropped', 0, 'stationary', false, ...
                   'stopped', '');
    if single
        state.capacity = 131072;
        state.least = 10000;
    end
    state.chunk = min(max(floor(min(budget_ns / max(1, sample_ns), 10)), 3), 10);
end
