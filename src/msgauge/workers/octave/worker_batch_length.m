function [operations, each_ns] = worker_batch_length(budget_ns, clock, trial, elapsed_ns)
    % How many operations make a batch: long against the clock, short against the budget, at most about 1 ms; and about how
    % long one takes. trial(operations): the time of a batch; elapsed_ns(): since the first. As native/sampling.hpp.

    least_ns = max(200 * clock.cost_ns, 20 * clock.resolution_ns);
    wanted_ns = min(max(budget_ns / 2000, least_ns), max(least_ns, 1e6));
    each_ns = trial(1); % the very first may pay for connections
    operations = 1;
    while elapsed_ns() < budget_ns / 10
        took = trial(operations);
        if took >= 0.5 * wanted_ns
            took = min([took, trial(operations), trial(operations)]); % one may be disturbed
        end
        each_ns = took / operations;
        if took >= 0.5 * wanted_ns
            break
        end
        operations = 2 * operations;
    end
    operations = max(1, floor(wanted_ns / max(each_ns, 0.1) + 0.999));
end
