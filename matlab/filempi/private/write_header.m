function write_header(link, header)
    % The 64 bytes of a header into the stream of a link; the stream is opened at its first message.
    global FILEMPI
    if FILEMPI.writer(link) == 0
        open_segment(link);
    end
    append_words(FILEMPI.writer(link), header);
    FILEMPI.written(link) = FILEMPI.written(link) + 64;
end
