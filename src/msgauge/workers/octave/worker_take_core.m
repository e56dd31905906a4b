function worker_take_core(plan, rank)
    % Where a rank may run on every core while there is one for each, it takes the core that the plan names for it, as the
    % ranks of an MPI are bound by their launcher. Nothing happens where there is no taskset.

    if rank < numel(plan.pin)
        [~, allowed] = filempi_identity();
        if allowed >= plan.cores
            system(sprintf('taskset -a -c -p %d %d >/dev/null 2>&1', plan.pin(rank + 1), getpid()));
        end
    end
end
