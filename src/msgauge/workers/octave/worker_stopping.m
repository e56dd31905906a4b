function state = worker_stopping(state, values, elapsed_ns, took_ns)
    % Look at all samples so far: state.stopped says why the cell is done, else state.chunk how many to take next.
    % elapsed_ns: since the first chunk; took_ns: the last chunk. The same decisions as native/sampling.hpp.

    count = numel(values);
    gained = max(1, count - state.had);
    state.without_gain = (count <= state.had) * (state.without_gain + 1);
    state.had = count;
    [state.dropped, state.stationary] = worker_mser5(values);
    state = find_reason(state, values, elapsed_ns);
    if ~isempty(state.stopped) && count < 20
        state.dropped = 0;
        state.stationary = true;
    elseif isempty(state.stopped)
        each_ns = max(1, floor(took_ns / gained));
        affordable = max(1, fix((state.allowed_ns - elapsed_ns) / each_ns));
        state.chunk = min([max(count, 10), affordable, state.capacity - count]);
        if count < 3
            state.chunk = min(state.chunk, 3 - count);
        end
    end
end

function state = find_reason(state, values, elapsed_ns)
    % May extend the budget of a series that is not stationary yet.
    count = numel(values);
    kept = values(state.dropped + 1:end);
    if count >= state.capacity
        state.stopped = 'count';
    elseif state.stationary && numel(kept) >= state.least && worker_precision(kept) <= state.precision
        state.stopped = 'precision';
    elseif elapsed_ns >= state.allowed_ns && (count >= 3 || state.without_gain > 8)
        if state.stationary || state.extensions == 3 || count < 20
            state.stopped = 'budget';
        else
            state.allowed_ns = state.allowed_ns + floor(state.budget_ns / 2);
            state.extensions = state.extensions + 1;
        end
    end
end
