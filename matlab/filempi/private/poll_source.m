function taken = poll_source(source, comm)
    % Take in what has arrived from one rank, or from each when source is '*'; true when there was something.

    sync_counters();
    taken = false;
    if ischar(source)
        for rank = 0:comm.size - 1
            taken = poll_link(comm.base + rank + 1, rank == comm.rank) || taken;
        end
    else
        taken = poll_link(comm.base + source + 1, source == comm.rank);
    end
end
