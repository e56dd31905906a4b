function filempi_glance(source, comm)
    % What a program that asks again and again without waiting (MPI_Probe, MPI_Test) needs to hear: at most each 50 ms,
    % whether the job was aborted or the rank that it asks for has failed. What such a rank sent before is taken in first.
    % Raises MPI:aborted, MPI:peerLost.

    global FILEMPI
    persistent looked_s
    now_s = filempi_now();
    if ~isempty(looked_s) && now_s >= looked_s && now_s - looked_s < 0.05
        return
    end
    looked_s = now_s;
    doomed = filempi_watch(source, comm, false, true);
    if isempty(doomed)
        return
    end
    for look = 1:8
        if filempi_take_from(source, comm)
            return
        end
        pause(FILEMPI.repair_s * filempi_lists() / 8);
    end
    error(doomed.identifier, '%s', doomed.message);
end
