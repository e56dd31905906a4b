function report_wait(wait, source, tag, comm)
    % Say in this rank's log, and by the file notices to the session, for what this rank waits, since when, and which
    % messages are there that do not match. The next notice of this rank comes after ten times as long a wait.

    global FILEMPI
    while poll_source('*', comm)
    end
    since = datestr(now() - wait.elapsed_s / 86400, 'HH:MM:SS');
    text = sprintf('[filempi] rank %d has waited %.0f s, since %s, %s. %s\n', FILEMPI.rank, wait.elapsed_s, since, ...
                   wait_text(wait, source, tag), unmatched_text(comm));
    FILEMPI.notice_s = 10 * FILEMPI.notice_s;
    fprintf(2, '%s', text);
    if FILEMPI.rank ~= FILEMPI.comm.host_rank
        fid = fopen([FILEMPI.folder, '/notices'], 'a');
        if fid > 0
            fwrite(fid, text, 'uint8');
            fclose(fid);
        end
    end
end
