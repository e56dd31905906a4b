function [values, source, tag] = classic_receive(source, tag, comm, context, limit_s)
    % Poll for the lock file (with a pause of 10 ms, or spinning), load the buffer file, delete both.

    global FILEMPI
    if ischar(source) || ischar(tag)
        error('MPI:badRank', 'The classic protocol has no wildcards: name the source and the tag.');
    end
    if isempty(limit_s)
        limit_s = FILEMPI.deadline_s;
    end
    [buffer, lock] = classic_file_names(source, comm.rank, tag, comm, context);
    wait = start_wait(limit_s, context);
    fid = fopen(lock, 'r');
    while fid < 0
        if FILEMPI.classic_pause_s > 0
            pause(FILEMPI.classic_pause_s);
        end
        wait = classic_watch(wait, source, comm, lock);
        fid = fopen(lock, 'r');
    end
    fclose(fid);
    content = load(buffer, 'filempi_values');
    values = content.filempi_values;
    if comm.save_message_flag == 0
        delete(buffer);
        delete(lock);
    end
    FILEMPI.last = [source, tag, numel(values)];
end

function wait = classic_watch(wait, source, comm, lock)
    % The reference waits for ever; here a deadline and a lost peer end the wait, at a cost of one comparison a turn.
    elapsed_s = clock_seconds() - wait.last_s;
    if elapsed_s > wait.limit_s
        error('MPI:timeout', 'Rank %d waited %g s for %s.', comm.rank, wait.limit_s, lock);
    end
    if elapsed_s - wait.watched_s > 0.1
        wait.watched_s = elapsed_s;
        if ~isempty(wait.doomed)
            error(wait.doomed.identifier, '%s', wait.doomed.message);
        end
        wait.doomed = peer_failure(source, comm, false);
    end
end
