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
