function throttled_peer_check(source, comm)
    % What a program that asks again and again without waiting (MPI_Probe, MPI_Test) needs to hear: at most each 50 ms,
    % whether the job was aborted or the rank that it asks for has failed. What such a rank sent before is taken in first.
    % Raises MPI:aborted, MPI:peerLost.

    global FILEMPI
    persistent looked_s
    now_s = clock_seconds();
    if ~isempty(looked_s) && now_s >= looked_s && now_s - looked_s < 0.05
        return
    end
    looked_s = now_s;
    doomed = peer_failure(source, comm, false, true);
    if isempty(doomed)
        return
    end
    for look = 1:8
        if poll_source(source, comm)
            return
        end
        pause(FILEMPI.repair_s * uses_listing() / 8);
    end
    error(doomed.identifier, '%s', doomed.message);
end
