function worker_pin_to_core(plan, rank)
    % Where a rank may run on every core while there is one for each, it takes the core that the plan names for it, as the
    % ranks of an MPI are bound by their launcher. Nothing happens where there is no taskset.

    if rank < numel(plan.pin)
        if allowed_cores() >= plan.cores
            system(sprintf('taskset -a -c -p %d %d >/dev/null 2>&1', plan.pin(rank + 1), getpid()));
        end
    end
end

function cores = allowed_cores()
    % Octave's nproc is no help: it gives OMP_NUM_THREADS where that is set.
    cores = 0;
    listed = regexp(worker_text('/proc/self/status'), 'Cpus_allowed_list:\s*(\S+)', 'tokens', 'once');
    ranges = strsplit(listed{1}, ',');
    for k = 1:numel(ranges)
        ends = sscanf(ranges{k}, '%d-%d');
        cores = cores + ends(end) - ends(1) + 1;
    end
end
