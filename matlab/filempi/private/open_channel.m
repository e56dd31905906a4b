function base = open_channel(folder)
    % Make the links of one communicator whose inboxes lie under folder; gives back the number before its first link.
    % Inbox of rank r: folder/in.r, with files m.SOURCE.SEQUENCE and stream segments m.SOURCE.sNUMBER.

    global FILEMPI
    base = numel(FILEMPI.sent);
    links = base + (1:FILEMPI.size);
    names = {'sent', 'received', 'written', 'checked', 'position', 'writer', 'reader', 'segment', 'insegment'};
    for k = 1:numel(names)
        FILEMPI.(names{k})(links) = double(k > 7);
    end
    mine = inbox_folder(folder, FILEMPI.rank);
    for rank = 0:FILEMPI.size - 1
        theirs = inbox_folder(folder, rank);
        FILEMPI.outbox{base + rank + 1} = sprintf('%s/in.%d/m.%d.', theirs, rank, FILEMPI.rank);
        FILEMPI.inbox{base + rank + 1} = sprintf('%s/in.%d/m.%d.', mine, FILEMPI.rank, rank);
    end
end
