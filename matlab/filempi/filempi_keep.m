function filempi_keep(link, tag, context, values, name, sequence)
    % Keep a message that has arrived until it is asked for. name: its file when it is still there ('' when read).
    % A receive that was posted earlier and matches claims it at once.

    global FILEMPI
    claim = 0;
    if ~isempty(FILEMPI.posted)
        posted = FILEMPI.posted;
        match = (posted(:, 1) == link | (posted(:, 1) < 0 & -posted(:, 1) == filempi_base(link) + 1)) ...
                & (posted(:, 2) == tag | isnan(posted(:, 2))) & posted(:, 3) == context;
        first = find(match, 1);
        if ~isempty(first)
            claim = posted(first, 4);
            FILEMPI.posted(first, :) = [];
        end
    end
    FILEMPI.kept = FILEMPI.kept + 1;
    FILEMPI.keys(FILEMPI.kept, :) = [link, tag, context, claim];
    FILEMPI.messages{FILEMPI.kept} = struct('values', {values}, 'name', name, 'sequence', sequence);
end
