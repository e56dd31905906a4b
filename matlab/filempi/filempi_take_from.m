function taken = filempi_take_from(source, comm)
    % Take in what has arrived from one rank, or from each when source is '*'; true when there was something.

    filempi_sync();
    taken = false;
    if ischar(source)
        for rank = 0:comm.size - 1
            taken = filempi_take(comm.base + rank + 1, rank == comm.rank) || taken;
        end
    else
        taken = filempi_take(comm.base + source + 1, source == comm.rank);
    end
end
