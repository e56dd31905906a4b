function start_next_segment(link)
    % End the current segment of a stream with a frame that says so, and open another. The reader removes
    % the old one when it has read that frame, so a stream never keeps more than a segment that has been read.

    global FILEMPI
    verify_streams(link);
    check_receiver(link);
    sequence = FILEMPI.sent(link) + 1;
    append_words(FILEMPI.writer(link), [1718447209, sequence, 0, 9, 0, 0, 0, sequence]);
    FILEMPI.sent(link) = sequence;
    fclose(FILEMPI.writer(link));
    FILEMPI.segment(link) = FILEMPI.segment(link) + 1;
    open_segment(link);
end
