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
