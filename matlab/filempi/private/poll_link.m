function taken = poll_link(link, own)
    % Take in the next message of a link, if there is one, and keep it. own: the link from a rank to itself, which has
    % no files. Raises MPI:damaged when the link holds what no sender writes.

    global FILEMPI
    taken = false;
    if own
        return
    end
    if FILEMPI.streams
        taken = take_frame(link);
    else
        taken = take_file(link);
    end
end

function taken = take_frame(link)
    global FILEMPI
    taken = false;
    if FILEMPI.reader(link) <= 0 && ~open_reader(link)
        return
    end
    fid = FILEMPI.reader(link);
    position = FILEMPI.position(link);
    words = read_words(fid, 8, position);
    if numel(words) < 8
        return
    end
    expected = FILEMPI.received(link) + 1;
    if words(1) ~= 1718447209 || words(2) ~= words(8) || words(2) > expected
        error('MPI:damaged', 'The stream %s holds no frame at byte %d.', FILEMPI.inbox{link}, position);
    end
    extra = zeros(1, 0);
    if words(4) == 2 || words(4) == 5 || words(4) == 6
        extra = read_words(fid, words(7), position + 64);
        if numel(extra) < words(7)
            fseek(fid, position, 'bof');
            return
        end
        if extra(end) ~= words(2)
            error('MPI:damaged', 'The frame %d of the stream %s has no end mark.', words(2), FILEMPI.inbox{link});
        end
    end
    FILEMPI.position(link) = position + 64 + 8 * numel(extra);
    taken = true;
    if words(2) == expected
        FILEMPI.received(link) = expected;
        keep_frame(link, words, extra);
    end
end

function opened = open_reader(link)
    global FILEMPI
    fid = fopen(sprintf('%ss%d', FILEMPI.inbox{link}, FILEMPI.insegment(link)), 'r', 'ieee-le');
    FILEMPI.reader(link) = fid;
    FILEMPI.position(link) = 0;
    opened = fid > 0;
end

function keep_frame(link, words, extra)
    global FILEMPI
    switch words(4)
        case 1
            enqueue_unexpected(link, words(3), words(5), {words(6)}, '', 0);
        case 5
            enqueue_unexpected(link, words(3), words(5), {reshape(extra(1:end - 1), words(6), [])}, '', 0);
        case 6
            enqueue_unexpected(link, words(3), words(5), {{reshape(extra(1:end - 1), words(6), [])}}, '', 0);
        case 2
            enqueue_unexpected(link, words(3), words(5), decode_values(extra, words(6)), '', 0);
        case {3, 4}
            name = sprintf('%s%d', FILEMPI.inbox{link}, words(2));
            if isnan(words(3)) % a text tag, which stands in the file
                [values, header] = read_whole_message(name, words(2));
                enqueue_unexpected(link, words(3), words(5), consume_file(values, header, name), '', 0);
            else
                enqueue_unexpected(link, words(3), words(5), {}, name, words(2));
            end
        case 9
            fclose(FILEMPI.reader(link));
            delete_file(sprintf('%ss%d', FILEMPI.inbox{link}, FILEMPI.insegment(link)));
            FILEMPI.insegment(link) = FILEMPI.insegment(link) + 1;
            FILEMPI.reader(link) = -1;
        otherwise
            error('MPI:damaged', 'The stream %s holds a frame of an unknown kind.', FILEMPI.inbox{link});
    end
end

function taken = take_file(link)
    global FILEMPI
    expected = FILEMPI.received(link) + 1;
    name = sprintf('%s%d', FILEMPI.inbox{link}, expected);
    taken = message_exists(name);
    if ~taken
        return
    end
    [values, header] = read_whole_message(name, expected);
    FILEMPI.received(link) = expected;
    enqueue_unexpected(link, header(3), header(5), consume_file(values, header, name), '', 0);
end
