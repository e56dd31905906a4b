function count = worker_rounds_of(pace, wanted)
    % Rounds of the next order: few are lost to a late rank where orders are short.

    count = min([wanted, 1024, max(10, floor(2e6 / max(1, pace.period_ns)))]);
end
