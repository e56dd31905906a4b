function sync_counters()
    % Bring what MPI_Send and MPI_Recv remember of their last scalar message back into FILEMPI, and forget it.
    % Whatever reads or changes a link's counters calls this first.
    %
    % To send: FILEMPI_TO: key, dest, tag. FILEMPI_WRITER: the stream, 0 where messages are files. FILEMPI_FRAME: the next
    % frame, its word 6 free. FILEMPI_LIMIT: after which sequence number the segment is full, but for 192 bytes.
    % FILEMPI_OUT: link (0: nothing is remembered), and more than how many and up to how many bytes go as a file.
    % FILEMPI_NEXT, FILEMPI_TEMPORARY, FILEMPI_STEM: names of the next message file, until it is whole, without its number.
    %
    % To receive: FILEMPI_FROM: key, source, tag. FILEMPI_READER: the stream, 0 where messages are files. FILEMPI_EXPECTED:
    % the next frame, if it brings the scalar 0. FILEMPI_IN: link (0: nothing is remembered), position of the frame with
    % sequence number 0, spins. FILEMPI_PAST: the file of the message received last (defer_delete).

    global FILEMPI FILEMPI_TO FILEMPI_WRITER FILEMPI_FRAME FILEMPI_LIMIT FILEMPI_OUT
    global FILEMPI_FROM FILEMPI_READER FILEMPI_EXPECTED FILEMPI_IN FILEMPI_PAST
    if ~isempty(FILEMPI_OUT) && FILEMPI_OUT(1) > 0
        link = FILEMPI_OUT(1);
        sequence = FILEMPI_FRAME(2);
        FILEMPI.sent(link) = sequence - 1;
        if FILEMPI_WRITER > 0
            FILEMPI.written(link) = FILEMPI.segment_bytes - 192 - 64 * (FILEMPI_LIMIT - sequence);
        end
    end
    if ~isempty(FILEMPI_IN) && FILEMPI_IN(1) > 0
        link = FILEMPI_IN(1);
        sequence = FILEMPI_EXPECTED(2);
        FILEMPI.received(link) = sequence - 1;
        FILEMPI.position(link) = FILEMPI_IN(2) + 64 * sequence;
        FILEMPI.last = [FILEMPI_FROM([2, 3]), 1];
        if FILEMPI_READER > 0
            fseek(FILEMPI_READER, FILEMPI.position(link), 'bof'); % MPI_Recv may have looked at what it did not take
        end
    end
    if ~isempty(FILEMPI_PAST)
        delete_file(FILEMPI_PAST);
        FILEMPI_PAST = '';
    end
    FILEMPI_TO = [-1, -1, -1];
    FILEMPI_FROM = [-1, -1, -1];
    FILEMPI_OUT = [0, 0, 0];
    FILEMPI_IN = [0, 0, 0];
end
