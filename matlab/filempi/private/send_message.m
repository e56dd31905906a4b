function send_message(dest, tag, comm, context, values)
    % Send a cell of values to rank dest. context: 0 the program's messages (8 from MPI_Bcast and MPI_Mcast),
    % 1 MPI_Gather, 2 MPI_Barrier, 3 MPI_Map, 4 MPI_Scatter, 5 MPI_Reduce, 6 MPI_Alltoall, 7 the last step of MPI_Allgather.
    % Here stand the two hot paths: one small real double array over an open stream, by itself or in a cell (as pMatlab
    % sends all), is one write, any other real double array is one file. All else goes through send_any.

    global FILEMPI FILEMPI_OUT
    if ~isempty(FILEMPI_OUT) && FILEMPI_OUT(1) > 0
        sync_counters();
    end
    if isempty(FILEMPI) || ~isfield(comm, 'key')
        check_arguments(dest, tag, comm, false);
    end
    if comm.key == FILEMPI.key + comm.base && numel(values) == 1 && isa(dest, 'double') && numel(dest) == 1 && dest >= 0 ...
            && dest < comm.size && dest ~= comm.rank && mod(dest, 1) == 0 && isa(tag, 'double') ...
            && numel(tag) == 1 && mod(tag, 1) == 0 && abs(tag) <= 9007199254740992 && ~issparse(tag + dest)
        value = values{1};
        kind = 5;
        if iscell(value) && numel(value) == 1
            value = value{1};
            kind = 6;
        end
        if isa(value, 'double') && isreal(value) && ~issparse(value) && send_array(dest, tag, comm, context, value, kind)
            return
        end
    end
    send_any(dest, tag, comm, context, values);
end

function done = send_array(dest, tag, comm, context, value, kind)
    % A real double array over an open stream, or as a file; done is false, and nothing sent, where this way is not open.
    % kind: that of its frame, 5 for itself, 6 in a cell.
    global FILEMPI
    link = comm.base + dest + 1;
    fid = FILEMPI.writer(link);
    count = numel(value);
    done = false;
    if FILEMPI.streams && count <= FILEMPI.inline_words
        done = fid > 0 && count > 0 && ndims(value) == 2;
        if done
            append_frame(dest, tag, comm, context, value, kind);
        end
    elseif kind == 5 && FILEMPI.octave && 8 * count <= FILEMPI.piece_bytes && (fid > 0 || ~FILEMPI.streams)
        done = publish_array(dest, tag, comm, context, value);
    end
end

function append_frame(dest, tag, comm, context, value, kind)
    global FILEMPI
    link = comm.base + dest + 1;
    fid = FILEMPI.writer(link);
    count = numel(value);
    sequence = FILEMPI.sent(link) + 1;
    if kind == 5 && count == 1
        append_words(fid, [1718447209, sequence, tag, 1, context, value, 0, sequence]);
        bytes = FILEMPI.written(link) + 64;
    else
        append_words(fid, [1718447209, sequence, tag, kind, context, size(value, 1), count + 1, ...
                           sequence, value(:).', sequence]);
        bytes = FILEMPI.written(link) + 72 + 8 * count;
    end
    FILEMPI.sent(link) = sequence;
    FILEMPI.written(link) = bytes;
    if bytes >= FILEMPI.segment_bytes - 128
        start_next_segment(link);
    elseif context == 0
        prepare_next(dest, tag, comm, [fid, link, FILEMPI.segment_bytes - bytes, 8 * FILEMPI.inline_words]);
    end
end

function done = publish_array(dest, tag, comm, context, value)
    global FILEMPI FILEMPI_NEXT FILEMPI_TEMPORARY
    link = comm.base + dest + 1;
    fid = FILEMPI.writer(link);
    sequence = FILEMPI.sent(link) + 1;
    name = sprintf('%s%d', FILEMPI.outbox{link}, sequence);
    temporary = [FILEMPI.outbox{link}, 't'];
    h = [1718447209, sequence, tag, 3, context, 1, 0, sequence];
    if numel(value) == 1
        h([4, 6]) = [1, value];
        save('-v6', temporary, 'h');
    else
        v = value;
        save('-v6', temporary, 'v', 'h');
    end
    [facts, failed] = stat(temporary);
    if mod(sequence, 16) == 0
        check_receiver(link);
    end
    done = failed == 0 && mod(facts.size, 512) ~= 0 && rename(temporary, name) == 0;
    if ~done
        return
    end
    FILEMPI.sent(link) = sequence;
    if fid > 0
        append_words(fid, h);
        FILEMPI.written(link) = FILEMPI.written(link) + 64;
    end
    left = (FILEMPI.segment_bytes - FILEMPI.written(link)) * (fid > 0);
    if context == 0 && (fid <= 0 || left > 128)
        prepare_next(dest, tag, comm, [max(0, fid), link, left, 8 * FILEMPI.inline_words * (fid > 0)]);
        FILEMPI_TEMPORARY = temporary;
        FILEMPI_NEXT = sprintf('%s%d', FILEMPI.outbox{link}, sequence + 1);
    end
end

function prepare_next(dest, tag, comm, place)
    % MPI_Send may take its short way for the next array to the same rank with the same tag. place: stream, link, bytes
    % until the segment ends, more than how many bytes go as a file.
    global FILEMPI FILEMPI_TO FILEMPI_WRITER FILEMPI_FRAME FILEMPI_LIMIT FILEMPI_OUT FILEMPI_STEM
    link = place(2);
    sequence = FILEMPI.sent(link) + 1;
    FILEMPI_TO = [comm.key, dest, tag];
    FILEMPI_WRITER = place(1);
    FILEMPI_LIMIT = sequence + (place(3) - 192) / 64;
    FILEMPI_OUT = [link, place(4), FILEMPI.piece_bytes];
    FILEMPI_FRAME = [1718447209, sequence, tag, 1, 0, 0, 0, sequence];
    FILEMPI_STEM = FILEMPI.outbox{link};
end
