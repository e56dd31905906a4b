function places = find_unexpected(source, tag, comm, context, all)
    % Places (in FILEMPI.keys) of the messages kept back that match: the first, or all of them when all is true.
    % A row of keys is: link, tag, context, request (0 when no posted receive has claimed it).

    global FILEMPI
    places = [];
    if FILEMPI.kept == 0
        return
    end
    keys = FILEMPI.keys;
    if ischar(source)
        match = keys(:, 1) > comm.base & keys(:, 1) <= comm.base + comm.size;
    else
        match = keys(:, 1) == comm.base + source + 1;
    end
    match = match & keys(:, 3) == context & keys(:, 4) == 0;
    if ~ischar(tag)
        match = match & keys(:, 2) == tag;
    end
    if nargin > 4 && all
        places = find(match);
    else
        places = find(match, 1);
    end
end
