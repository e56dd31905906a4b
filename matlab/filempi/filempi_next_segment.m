function filempi_next_segment(link)
    % End the current segment of a stream with a frame that says so, and open another. The reader removes
    % the old one when it has read that frame, so a stream never keeps more than a segment that has been read.

    global FILEMPI
    filempi_verify(link);
    filempi_heed(link);
    sequence = FILEMPI.sent(link) + 1;
    filempi_append(FILEMPI.writer(link), [1718447209, sequence, 0, 9, 0, 0, 0, sequence]);
    FILEMPI.sent(link) = sequence;
    fclose(FILEMPI.writer(link));
    FILEMPI.segment(link) = FILEMPI.segment(link) + 1;
    filempi_open_segment(link);
end
