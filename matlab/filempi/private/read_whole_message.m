function [values, header] = read_whole_message(name, expected)
    % Read a message file, trying again while the file system says it is stale, unreadable or not whole yet, or shows
    % another content than the one that was announced; Raises MPI:damaged when that lasts longer than the repair time.
    % expected: the sequence number of a message, or (a negative number) of a piece.

    global FILEMPI
    [values, header, reason] = attempt(name, expected);
    waited_s = 0;
    last_s = clock_seconds();
    while ~isempty(reason) && waited_s < FILEMPI.repair_s
        pause(0.005);
        now_s = clock_seconds();
        step_s = now_s - last_s;
        if step_s < 0 || step_s > 1
            step_s = 0.005; % the clock was set
        end
        waited_s = waited_s + step_s;
        last_s = now_s;
        [values, header, reason] = attempt(name, expected);
    end
    if ~isempty(reason)
        error('MPI:damaged', 'A message was announced, but %s cannot be read as a whole: %s.', name, reason);
    end
end

function [values, header, reason] = attempt(name, expected)
    values = [];
    header = [];
    reason = '';
    try
        [values, header] = read_message(name);
    catch problem
        reason = problem.message;
        return
    end
    if expected < 0
        whole = numel(header) == 1 && header == -expected;
    else
        whole = numel(header) == 8 && header(1) == 1718447209 && header(2) == header(8) ...
                && (header(2) == expected || header(2) == 0);
    end
    if ~whole
        reason = 'it holds another message';
    end
end
