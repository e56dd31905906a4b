function filempi_post(dest, tag, comm, context, values)
    % Send a cell of values to rank dest. context: 0 the program's messages, 1 collectives, 2 barriers, 3 MPI_Map.
    % The first branch is the hot path: one small real double array over an open stream is one write.

    global FILEMPI FILEMPI_OUT
    sync_out();
    if comm.fast && numel(dest) == 1 && dest >= 0 && dest < comm.size && mod(dest, 1) == 0 && numel(values) == 1
        link = comm.base + dest + 1;
        fid = FILEMPI.writer(link);
        value = values{1};
        count = numel(value);
        if fid > 0 && count > 0 && count <= FILEMPI.inline_words && isa(value, 'double') && isreal(value) ...
                && ~issparse(value) && numel(tag) == 1 && isnumeric(tag) && mod(tag, 1) == 0
            sequence = FILEMPI.sent(link) + 1;
            if count == 1
                filempi_append(fid, [1718447209, sequence, tag, 1, context, value, 0, sequence]);
                bytes = 64;
            elseif ndims(value) == 2
                filempi_append(fid, [1718447209, sequence, tag, 5, context, size(value, 1), count + 1, sequence, ...
                                     value(:).', sequence]);
                bytes = 72 + 8 * count;
            else
                filempi_post_any(dest, tag, comm, context, values);
                return
            end
            FILEMPI.sent(link) = sequence;
            bytes = FILEMPI.written(link) + bytes;
            FILEMPI.written(link) = bytes;
            if bytes >= FILEMPI.segment_bytes
                filempi_next_segment(link);
            elseif count == 1 && context == 0
                FILEMPI_OUT = [dest, tag, comm.base, fid, link, sequence, FILEMPI.segment_bytes - bytes];
            end
            return
        end
    end
    filempi_post_any(dest, tag, comm, context, values);
end

function sync_out()
    global FILEMPI_OUT
    if ~isempty(FILEMPI_OUT) && FILEMPI_OUT(1) >= 0
        filempi_sync();
    end
end
