function kernel = worker_collective(run, right)
    % A kernel whose rounds all ranks stamp. run(turn): one operation; right(): one whose outcome is looked at.

    kernel = struct('kind', 'rounds', 'series', {{'completion', 'root', 'mean_rank', 'imbalance'}}, 'events', 1, ...
                    'run', run, 'right', right, 'combine', {{}});
end
