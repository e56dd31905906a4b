function wait = start_wait(limit_s, context)
    % The state of one wait: seconds waited, the next pause, when peers were last looked at. limit_s: [] for the job's.

    global FILEMPI
    if isempty(limit_s)
        limit_s = FILEMPI.deadline_s;
    end
    FILEMPI.waits = FILEMPI.waits + 1;
    wait = struct('limit_s', limit_s, 'elapsed_s', 0, 'last_s', clock_seconds(), 'pause_s', 0.0002, ...
                  'watched_s', 0, 'doomed', [], 'looks', 0, 'doomed_s', 0, 'tolerant', false, 'context', context, ...
                  'serial', FILEMPI.waits, 'told', false, 'published', [], 'text', '', 'check_s', 0.5, 'suspect', '');
end
