function was_set = worker_clock_set(first, last)
    % Was tic's clock set between two moments of worker_uptime, by more than 50 ms? A rank that had to wait for its core
    % while it read the clocks does not look like that: what is compared is the shortest and longest time it can have been.

    was_set = false;
    if ~isempty(first.uptime_s) && ~isempty(last.uptime_s)
        passed_s = last.uptime_s - first.uptime_s;
        was_set = passed_s < (last.before - first.after) / 1e6 - 0.05 || passed_s > (last.after - first.before) / 1e6 + 0.05;
    end
end
