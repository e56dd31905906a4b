function open_segment(link)
    % Open the current segment of the stream of an outgoing link for appending. Raises MPI:writeFailed.

    global FILEMPI
    name = sprintf('%ss%d', FILEMPI.outbox{link}, FILEMPI.segment(link));
    [fid, message] = fopen(name, 'a', 'ieee-le');
    if fid < 0
        error('MPI:writeFailed', 'Cannot open the stream %s: %s. Has the job ended?', name, message);
    end
    FILEMPI.writer(link) = fid;
    FILEMPI.written(link) = 0;
    FILEMPI.checked(link) = 0;
end
