function wait = watch_wait(wait, source, tag, comm)
    % What a wait looks after each 50 ms: whether its own streams were kept, whether a peer has ended, whether all wait for
    % each other; and, after the time of a notice, that it says for what it waits.

    global FILEMPI
    wait.watched_s = wait.elapsed_s;
    verify_streams(comm.base + (1:comm.size));
    wait.doomed = peer_failure(source, comm, wait.tolerant);
    if isempty(wait.doomed) && ~wait.tolerant && ~uses_listing() && FILEMPI.size > 1 && wait.elapsed_s > 0.2
        wait = publish_wait(wait, source, tag, comm);
        wait = check_deadlock(wait, comm);
    end
    wait.doomed_s = wait.elapsed_s;
    if ~wait.told && isempty(wait.doomed) && wait.context ~= 3 && wait.elapsed_s > FILEMPI.notice_s
        wait.told = true;
        report_wait(wait, source, tag, comm);
    end
    if FILEMPI.rank == FILEMPI.comm.host_rank
        show_notices(FILEMPI.folder);
    end
end
