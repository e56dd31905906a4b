function filempi_spread(source, tag, comm, values)
    % Send the same values from this rank to all others; a message file is written once and linked into each inbox.

    global FILEMPI
    filempi_sync();
    [source, tag] = filempi_check(source, tag, comm, false);
    others = [0:source - 1, source + 1:comm.size - 1];
    if isempty(others) || FILEMPI.classic || comm.save_message_flag || is_small(values)
        for rank = others
            filempi_post(rank, tag, comm, 1, values);
        end
        return
    end
    links = comm.base + others + 1;
    master = sprintf('%sall%d', FILEMPI.outbox{links(1)}, FILEMPI.sent(links(1)) + 1);
    header = [1718447209, 0, tag, 3, 1, numel(values), 0, 0];
    [packed, header(7)] = filempi_pack(values, '', 'value %d');
    if header(7) ~= 0 || holds_large(values)
        for rank = others
            filempi_post(rank, tag, comm, 1, values);
        end
        return
    end
    if numel(packed) == 1
        packed = packed{1};
    end
    filempi_store(master, packed, header);
    for link = links
        deliver(master, link, header);
    end
    filempi_drop(master);
end

function small = is_small(values)
    global FILEMPI
    small = FILEMPI.streams && ~isempty(filempi_inline(values, FILEMPI.inline_words));
end

function large = holds_large(values)
    global FILEMPI
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        bytes = sizeof(values);
    else
        facts = whos('values');
        bytes = facts.bytes;
    end
    large = bytes > FILEMPI.piece_bytes;
end

function deliver(master, link, header)
    % The file's own header has sequence 0, which a reader takes for a message of several receivers.
    global FILEMPI
    sequence = FILEMPI.sent(link) + 1;
    name = sprintf('%s%d', FILEMPI.outbox{link}, sequence);
    filempi_link(master, [name, '.t']);
    filempi_move([name, '.t'], name);
    if FILEMPI.streams
        header([2, 8]) = sequence;
        filempi_announce(link, header);
    end
    FILEMPI.sent(link) = sequence;
end
