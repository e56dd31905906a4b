function request = MPI_Irecv(source, tag, comm)
    % MPI_Irecv  -  Post a receive; the message that it matches is its own, in the order in which receives are posted.
    %
    %   request = MPI_Irecv(source, tag, comm)      then MPI_Wait(request) or MPI_Test(request)

    global FILEMPI
    persistent count
    [source, tag] = check_arguments(source, tag, comm, true);
    sync_counters();
    if FILEMPI.classic
        error('MPI:badRank', 'The classic protocol has no posted receives.');
    end
    if isempty(count)
        count = 0;
    end
    count = count + 1;
    place = find_unexpected(source, tag, comm, 0);
    FILEMPI.requests = FILEMPI.requests + 1;
    if ~isempty(place)
        FILEMPI.keys(place, 4) = count;
    else
        FILEMPI.posted(end + 1, :) = posting(source, tag, comm, count);
    end
    request = struct('number', count, 'source', source, 'tag', tag, 'comm', comm);
end

function row = posting(source, tag, comm, count)
    row = [-(comm.base + 1), NaN, 0, count];
    if ~ischar(source)
        row(1) = comm.base + source + 1;
    end
    if ~ischar(tag)
        row(2) = tag;
    end
end
