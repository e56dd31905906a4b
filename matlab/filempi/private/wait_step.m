function wait = wait_step(wait, source, tag, comm)
    % One step of waiting: spin at first, then pause 0.2 ms doubling to 10 ms, and after long waiting to 2 % of the time
    % waited, 20 ms at most; look at the peers each 50 ms (watch_wait).
    %
    % A step of the clock is believed only within what the pause can explain, so a clock that is set back or forth
    % neither ends a wait early nor prolongs it. When a peer has ended, eight more looks (and, on a network file system, the
    % repair time) are given to a message that it may have sent and that is not visible yet.
    % Raises MPI:timeout, MPI:peerLost, MPI:deadlock, MPI:aborted, MPI:writeFailed.

    global FILEMPI
    if ~isempty(wait.doomed) && wait.looks >= 8 && wait.elapsed_s - wait.doomed_s >= FILEMPI.repair_s * uses_listing()
        error(wait.doomed.identifier, '%s', wait.doomed.message);
    end
    now_s = clock_seconds();
    step_s = now_s - wait.last_s;
    wait.last_s = now_s;
    if step_s < 0 || step_s > 1
        step_s = wait.pause_s;
    end
    wait.elapsed_s = wait.elapsed_s + step_s;
    if wait.elapsed_s < FILEMPI.spin_s
        return
    end
    if wait.elapsed_s > wait.limit_s
        error('MPI:timeout', 'Rank %d waited %g s for a message from rank %s with tag %s; none came.', ...
              FILEMPI.rank, wait.limit_s, shown_tag(source), shown_tag(tag));
    end
    pause(wait.pause_s);
    wait.pause_s = min(2 * wait.pause_s, min(0.02, max(0.01, 0.02 * wait.elapsed_s)));
    wait.looks = wait.looks + ~isempty(wait.doomed);
    if isempty(wait.doomed) && (wait.elapsed_s - wait.watched_s > 0.05 || wait.watched_s == 0)
        wait = watch_wait(wait, source, tag, comm);
    end
end
