function [cost, step] = worker_clock_facts(trials)
    % The cost of a reading and the step of a clock, in its own ticks; each column is a trial of readings in a row.
    %
    % A step as long as a reading says only that the clock is at least that fine, unless it stands still between one
    % reading in twenty and the next.

    cost = min((trials(end, :) - trials(1, :)) / (rows(trials) - 1));
    steps = diff(trials)(:);
    step = min([steps(steps > 0); 1e9]);
    if step <= 2 * cost && 20 * sum(steps == 0) < numel(steps)
        step = 1;
    end
end
