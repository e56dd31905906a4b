function filempi_post_any(dest, tag, comm, context, values)
    % Send any values over any transport: to oneself in memory, small plain arrays inside the stream,
    % everything else as a message file (and, where there is a stream, a frame that points to it).

    global FILEMPI
    [dest, tag] = filempi_check(dest, tag, comm, false);
    if FILEMPI.classic
        filempi_classic_send(dest, tag, comm, context, values);
        return
    end
    link = comm.base + dest + 1;
    if dest == comm.rank
        [~] = filempi_pack(values);
        filempi_keep(link, tag, context, values, '', 0);
        return
    end
    saving = double(comm.save_message_flag ~= 0);
    streaming = FILEMPI.streams && ~saving;
    if streaming && FILEMPI.writer(link) == 0
        filempi_open_segment(link);
    end
    if streaming
        words = filempi_inline(values, FILEMPI.inline_words);
        if ~isempty(words)
            post_inline(link, tag, context, numel(values), words);
            return
        end
    end
    sequence = FILEMPI.sent(link) + 1;
    if mod(sequence, 16) == 0
        filempi_heed(link);
    end
    header = [1718447209, sequence, tag, 3 + saving, context, numel(values), 0, sequence];
    header = filempi_publish(sprintf('%s%d', FILEMPI.outbox{link}, sequence), values, header);
    if FILEMPI.streams
        filempi_announce(link, header);
    end
    FILEMPI.sent(link) = header(2);
end

function post_inline(link, tag, context, count, words)
    global FILEMPI
    sequence = FILEMPI.sent(link) + 1;
    frame = [1718447209, sequence, tag, 2, context, count, numel(words) + 1, sequence, words, sequence];
    filempi_append(FILEMPI.writer(link), frame);
    FILEMPI.sent(link) = sequence;
    FILEMPI.written(link) = FILEMPI.written(link) + 8 * numel(frame);
    if FILEMPI.written(link) >= FILEMPI.segment_bytes
        filempi_next_segment(link);
    elseif mod(sequence, 256) == 0
        filempi_heed(link);
    end
end
