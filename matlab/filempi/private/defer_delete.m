function defer_delete(name)
    % Remove the file whose message was read before, and remember this one ('': none) to be removed in its turn: by the
    % next message that is sent or read, when nobody waits for it.

    global FILEMPI_PAST
    if ~isempty(FILEMPI_PAST)
        [~, ~] = unlink(FILEMPI_PAST);
    end
    FILEMPI_PAST = name;
end
