function filempi_post(dest, tag, comm, context, values)
    % Send a cell of values to rank dest. context: 0 the program's messages, 1 collectives, 2 barriers, 3 MPI_Map.
    % Here stand the two hot paths: one small real double array over an open stream is one write, any other
    % real double array is one file. All else goes through filempi_post_any.

    global FILEMPI FILEMPI_TO FILEMPI_OUT FILEMPI_FRAME FILEMPI_STEM FILEMPI_NEXT FILEMPI_TEMPORARY
    if ~isempty(FILEMPI_OUT) && FILEMPI_OUT(1) >= 0
        filempi_sync();
    end
    if isempty(FILEMPI) || ~isfield(comm, 'key')
        filempi_check(dest, tag, comm, false);
    end
    if comm.key == FILEMPI.key + comm.base && numel(values) == 1 && isa(dest, 'double') && numel(dest) == 1 && dest >= 0 ...
            && dest < comm.size && dest ~= comm.rank && mod(dest, 1) == 0 && isa(tag, 'double') ...
            && numel(tag) == 1 && mod(tag, 1) == 0 && abs(tag) <= 9007199254740992 && ~issparse(tag + dest)
        link = comm.base + dest + 1;
        value = values{1};
        count = numel(value);
        if isa(value, 'double') && isreal(value) && ~issparse(value)
            fid = FILEMPI.writer(link);
            if FILEMPI.streams && count <= FILEMPI.inline_words
                if fid > 0 && count > 0 && ndims(value) == 2
                    sequence = FILEMPI.sent(link) + 1;
                    if count == 1
                        filempi_append(fid, [1718447209, sequence, tag, 1, context, value, 0, sequence]);
                        bytes = FILEMPI.written(link) + 64;
                    else
                        filempi_append(fid, [1718447209, sequence, tag, 5, context, size(value, 1), count + 1, ...
                                             sequence, value(:).', sequence]);
                        bytes = FILEMPI.written(link) + 72 + 8 * count;
                    end
                    FILEMPI.sent(link) = sequence;
                    FILEMPI.written(link) = bytes;
                    if bytes >= FILEMPI.segment_bytes - 128
                        filempi_next_segment(link);
                    elseif count == 1 && context == 0
                        FILEMPI_TO = [comm.key, dest, tag];
                        FILEMPI_OUT = [dest, tag, comm.key, fid, link, FILEMPI.segment_bytes - bytes, ...
                                       8 * FILEMPI.inline_words, FILEMPI.piece_bytes];
                        FILEMPI_FRAME = [1718447209, sequence + 1, tag, 1, 0, 0, 0, sequence + 1];
                        FILEMPI_STEM = FILEMPI.outbox{link};
                    end
                    return
                end
            elseif FILEMPI.octave && 8 * count <= FILEMPI.piece_bytes && (fid > 0 || ~FILEMPI.streams)
                sequence = FILEMPI.sent(link) + 1;
                name = sprintf('%s%d', FILEMPI.outbox{link}, sequence);
                temporary = [FILEMPI.outbox{link}, 't'];
                h = [1718447209, sequence, tag, 3, context, 1, 0, sequence];
                if count == 1
                    h([4, 6]) = [1, value];
                    save('-v6', temporary, 'h');
                else
                    v = value;
                    save('-v6', temporary, 'v', 'h');
                end
                [facts, failed] = stat(temporary);
                if mod(sequence, 16) == 0
                    filempi_heed(link);
                end
                if failed == 0 && mod(facts.size, 512) ~= 0 && rename(temporary, name) == 0
                    FILEMPI.sent(link) = sequence;
                    if fid > 0
                        filempi_append(fid, h);
                        FILEMPI.written(link) = FILEMPI.written(link) + 64;
                    end
                    left = (FILEMPI.segment_bytes - FILEMPI.written(link)) * (fid > 0);
                    if context == 0 && (fid <= 0 || left > 128)
                        FILEMPI_TO = [comm.key, dest, tag];
                        FILEMPI_OUT = [dest, tag, comm.key, max(0, fid), link, left, ...
                                       8 * FILEMPI.inline_words * (fid > 0), FILEMPI.piece_bytes];
                        FILEMPI_FRAME = [1718447209, sequence + 1, tag, 1, 0, 0, 0, sequence + 1];
                        FILEMPI_STEM = FILEMPI.outbox{link};
                        FILEMPI_TEMPORARY = temporary;
                        FILEMPI_NEXT = sprintf('%s%d', FILEMPI_STEM, sequence + 1);
                    end
                    return
                end
            end
        end
    end
    filempi_post_any(dest, tag, comm, context, values);
end
