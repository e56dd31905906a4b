function kernel = worker_self_timed(run, verify, call)
    % An application program as a kernel that stamps itself: the five series of the native ones, then call, the time of
    % the slowest rank in its one call. run(serial ns) gives a row of ns for one operation of this rank.

    kernel = struct('kind', 'stamped', 'series', {{'time', 'compute', 'communication', 'cpu', 'serial', call}}, ...
                    'events', 1, 'run', run, 'verify', verify, ...
                    'combine', {{'first', 'mean', 'mean', 'sum', 'first', 'max'}});
end
