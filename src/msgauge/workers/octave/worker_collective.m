function kernel = worker_collective(run, verify)
    % A kernel whose rounds all ranks stamp. run(turn): one operation; verify(): one whose outcome is checked.

    kernel = struct('kind', 'rounds', 'series', {{'completion', 'root', 'mean_rank', 'imbalance', 'start_skew'}}, ...
                    'events', 1, 'run', run, 'verify', verify, 'combine', {{}});
end
