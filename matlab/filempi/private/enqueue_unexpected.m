function enqueue_unexpected(link, tag, context, values, name, sequence)
    % Keep a message that has arrived until it is asked for. name: its file when it is still there ('' when read).
    % A receive that was posted earlier and matches claims it at once.

    global FILEMPI
    claim = 0;
    sender = context;
    if context == 8
        context = 0; % sent by MPI_Bcast or MPI_Mcast, for MPI_Recv
    end
    if isnan(tag)
        tag = tag_number(values{1});
        values(1) = [];
    end
    if ~isempty(FILEMPI.posted)
        posted = FILEMPI.posted;
        match = (posted(:, 1) == link | (posted(:, 1) < 0 & -posted(:, 1) == channel_offset(link) + 1)) ...
                & (posted(:, 2) == tag | isnan(posted(:, 2))) & posted(:, 3) == context;
        first = find(match, 1);
        if ~isempty(first)
            claim = posted(first, 4);
            FILEMPI.posted(first, :) = [];
        end
    end
    FILEMPI.kept = FILEMPI.kept + 1;
    FILEMPI.keys(FILEMPI.kept, :) = [link, tag, context, claim];
    FILEMPI.messages{FILEMPI.kept} = struct('values', {values}, 'name', name, 'sequence', sequence, 'sender', sender);
end
