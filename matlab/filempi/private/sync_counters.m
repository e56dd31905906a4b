function sync_counters()
    % Bring what MPI_Send and MPI_Recv remember of their last scalar message back into FILEMPI, and forget it.
    % Whatever reads or changes a link's counters calls this first.

    global FILEMPI FILEMPI_TO FILEMPI_OUT FILEMPI_FRAME FILEMPI_IN FILEMPI_PAST
    if ~isempty(FILEMPI_OUT) && FILEMPI_OUT(1) >= 0
        hot = FILEMPI_OUT;
        FILEMPI.sent(hot(5)) = FILEMPI_FRAME(2) - 1;
        if hot(4) > 0
            FILEMPI.written(hot(5)) = FILEMPI.segment_bytes - hot(6);
        end
    end
    if ~isempty(FILEMPI_IN) && FILEMPI_IN(1) >= 0
        hot = FILEMPI_IN;
        FILEMPI.received(hot(5)) = hot(6);
        FILEMPI.position(hot(5)) = hot(7);
        FILEMPI.last = [hot(1), hot(2), 1];
    end
    if ~isempty(FILEMPI_PAST)
        delete_file(FILEMPI_PAST);
        FILEMPI_PAST = '';
    end
    FILEMPI_TO = [-1, -1, -1];
    FILEMPI_OUT = [-1, 0, 0, 0, 0, 0, 0, 0];
    FILEMPI_IN = [-1, 0, 0, 0, 0, 0, 0, 0];
end
