function wait = check_deadlock(wait, comm)
    % Dooms a wait that can never end: this rank waits, and whoever could send to it waits, too, for one of these ranks, and
    % every message that they have sent to each other is taken in and does not match.
    %
    % A false alarm is impossible on a local file system: a rank's file wait.RANK is gone or has another number before the
    % rank does anything else. All files are read, then read again; those that are the same stood at the moment between, so
    % at that moment all these ranks were waiting, none could send, and nothing was under way. What is found must be found
    % the same by the next look, 0.25 s or more later. Raises nothing.

    global FILEMPI
    if FILEMPI.classic || isempty(wait.text)
        return
    end
    verdict = read_text([FILEMPI.folder, '/deadlock']);
    if ~isempty(strfind(verdict, sprintf(' %d:%d ', FILEMPI.rank, wait.serial))) %#ok<STREMP>
        wait.doomed = doomed(verdict(find(verdict == sprintf('\n'), 1) + 1:end), comm);
        return
    end
    if wait.elapsed_s < wait.check_s
        return
    end
    wait.check_s = wait.elapsed_s + min(2, max(0.25, wait.elapsed_s / 4));
    states = waiting_ranks();
    stuck = stuck_ranks(states);
    found = '';
    if any(stuck == FILEMPI.rank) && isequal(states(stuck + 1), waiting_ranks(stuck))
        found = sprintf('%s\n', states{stuck + 1});
    end
    if ~isempty(found) && strcmp(found, wait.suspect)
        wait.doomed = doomed(announce_deadlock(states, stuck), comm);
    end
    wait.suspect = found;
end

function found = doomed(message, comm)
    global FILEMPI
    message = sprintf('%s\nAt rank %d: %s', message, FILEMPI.rank, unmatched_text(comm));
    found = struct('identifier', 'MPI:deadlock', 'message', message);
end

function states = waiting_ranks(ranks)
    % The text of wait.RANK of each rank, '' where there is none, 'ended' for a rank that has ended well or badly.
    global FILEMPI
    if nargin < 1
        ranks = 0:FILEMPI.size - 1;
    end
    states = cell(1, numel(ranks));
    for k = 1:numel(ranks)
        if control_file_exists(sprintf('%s/exit.%d', FILEMPI.folder, ranks(k)))
            states{k} = 'ended';
        else
            states{k} = read_text(sprintf('%s/wait.%d', FILEMPI.folder, ranks(k)));
        end
    end
end

function text = announce_deadlock(states, stuck)
    % Say it to all who are in it, so that each of them raises the same.
    global FILEMPI
    names = '';
    lines = cell(1, numel(stuck));
    for k = 1:numel(stuck)
        rows = strsplit(states{stuck(k) + 1}, sprintf('\n'));
        names = sprintf('%s %d:%d ', names, stuck(k), sscanf(rows{1}, '%d', 1));
        lines{k} = sprintf('rank %d waits %s', stuck(k), rows{end});
    end
    text = sprintf('These ranks wait for each other, and no message is under way that any of them waits for:\n  %s', ...
                   strjoin(lines, sprintf('\n  ')));
    name = sprintf('%s/deadlock', FILEMPI.folder);
    try
        write_text(sprintf('%s.%d', name, FILEMPI.rank), sprintf('%s\n%s', names, text));
        rename_file(sprintf('%s.%d', name, FILEMPI.rank), name);
    catch
        return % each of the others finds it by itself
    end
end
