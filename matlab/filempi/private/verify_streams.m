function verify_streams(links)
    % Have the streams of these outgoing links kept all that was appended? A full disk is found here.
    % Called when a rank starts to wait in earnest, when a segment ends and in MPI_Finalize. Raises MPI:writeFailed.

    global FILEMPI
    sync_counters();
    for link = reshape(links, 1, [])
        if FILEMPI.writer(link) <= 0 || FILEMPI.written(link) == FILEMPI.checked(link)
            continue
        end
        name = sprintf('%ss%d', FILEMPI.outbox{link}, FILEMPI.segment(link));
        bytes = file_size(name);
        if bytes >= 0 && bytes < FILEMPI.written(link)
            error('MPI:writeFailed', ...
                  'The disk is full: of %d bytes appended to %s only %d were kept. Free space and run again.', ...
                  FILEMPI.written(link), name, bytes);
        end
        FILEMPI.checked(link) = FILEMPI.written(link);
    end
end
