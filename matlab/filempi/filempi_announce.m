function filempi_announce(link, header)
    % The 64 bytes of a header into the stream of a link; the stream is opened at its first message.
    global FILEMPI
    if FILEMPI.writer(link) == 0
        filempi_open_segment(link);
    end
    filempi_append(FILEMPI.writer(link), header);
    FILEMPI.written(link) = FILEMPI.written(link) + 64;
end
