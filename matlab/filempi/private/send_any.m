function send_any(dest, tag, comm, context, values)
    % Send any values over any transport: to oneself in memory, small plain arrays inside the stream,
    % everything else as a message file (and, where there is a stream, a frame that points to it).

    global FILEMPI
    [dest, tag] = check_arguments(dest, tag, comm, false);
    if FILEMPI.classic
        classic_send(dest, tag, comm, context, values);
        return
    end
    link = comm.base + dest + 1;
    if dest == comm.rank
        [~] = wrap_values(values);
        enqueue_unexpected(link, tag, context, values, '', 0);
        return
    end
    [tag, values] = wire_tag(tag, values);
    saving = double(comm.save_message_flag ~= 0);
    streaming = FILEMPI.streams && ~saving;
    if streaming && FILEMPI.writer(link) == 0
        open_segment(link);
    end
    if streaming
        words = encode_values(values, FILEMPI.inline_words);
        if ~isempty(words)
            post_inline(link, tag, context, numel(values), words);
            return
        end
    end
    sequence = FILEMPI.sent(link) + 1;
    if mod(sequence, 16) == 0
        check_receiver(link);
    end
    header = [1718447209, sequence, tag, 3 + saving, context, numel(values), 0, sequence];
    header = publish_message(sprintf('%s%d', FILEMPI.outbox{link}, sequence), values, header);
    if FILEMPI.streams
        write_header(link, header);
    end
    FILEMPI.sent(link) = header(2);
end

function post_inline(link, tag, context, count, words)
    global FILEMPI
    sequence = FILEMPI.sent(link) + 1;
    frame = [1718447209, sequence, tag, 2, context, count, numel(words) + 1, sequence, words, sequence];
    append_words(FILEMPI.writer(link), frame);
    FILEMPI.sent(link) = sequence;
    FILEMPI.written(link) = FILEMPI.written(link) + 8 * numel(frame);
    if FILEMPI.written(link) >= FILEMPI.segment_bytes
        start_next_segment(link);
    elseif mod(sequence, 256) == 0
        check_receiver(link);
    end
end
