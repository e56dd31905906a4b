function wait = filempi_wait_start(limit_s)
    % The state of one wait: seconds waited, the next pause, when peers were last looked at. limit_s: [] for the job's.

    global FILEMPI
    if isempty(limit_s)
        limit_s = FILEMPI.deadline_s;
    end
    wait = struct('limit_s', limit_s, 'elapsed_s', 0, 'last_s', filempi_now(), 'pause_s', 0.0002, ...
                  'watched_s', 0, 'doomed', [], 'looks', 0, 'doomed_s', 0, 'tolerant', false);
end
