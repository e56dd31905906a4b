function places = find_saved(source, tag, comm)
    % Places (in FILEMPI.saved) of the messages that were received with a communicator that saves them, and match.

    global FILEMPI
    places = [];
    if isempty(FILEMPI.saved)
        return
    end
    keys = vertcat(FILEMPI.saved.key);
    if ischar(source)
        match = keys(:, 1) > comm.base & keys(:, 1) <= comm.base + comm.size;
    else
        match = keys(:, 1) == comm.base + source + 1;
    end
    if ~ischar(tag)
        match = match & keys(:, 2) == tag;
    end
    places = reshape(find(match), 1, []);
end
