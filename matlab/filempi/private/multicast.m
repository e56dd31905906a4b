function multicast(dests, tag, comm, context, values)
    % Send the same values from this rank to others; a message file is written once and linked into each inbox.

    global FILEMPI
    sync_counters();
    [~, tag] = check_arguments(0, tag, comm, false);
    if FILEMPI.classic
        classic_multicast(dests, tag, comm, context, values);
        return
    end
    if isempty(dests) || comm.save_message_flag || is_small(values)
        send_each(dests, tag, comm, context, values);
        return
    end
    links = comm.base + dests + 1;
    master = sprintf('%sall%d', FILEMPI.outbox{links(1)}, FILEMPI.sent(links(1)) + 1);
    [wire, carried] = wire_tag(tag, values);
    header = [1718447209, 0, wire, 3, context, numel(carried), 0, 0];
    [packed, header(7)] = wrap_values(carried, '', 'value %d');
    if header(7) ~= 0 || holds_large(values)
        send_each(dests, tag, comm, context, values);
        return
    end
    if numel(packed) == 1
        packed = packed{1};
    end
    save_file(master, packed, header);
    for link = links
        deliver(master, link, header);
    end
    delete_file(master);
end

function send_each(dests, tag, comm, context, values)
    for rank = dests
        send_message(rank, tag, comm, context, values);
    end
end

function small = is_small(values)
    global FILEMPI
    small = FILEMPI.streams && ~isempty(encode_values(values, FILEMPI.inline_words));
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
    make_hard_link(master, [name, '.t']);
    rename_file([name, '.t'], name);
    if FILEMPI.streams
        header([2, 8]) = sequence;
        write_header(link, header);
    end
    FILEMPI.sent(link) = sequence;
end
