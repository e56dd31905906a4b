function [values, source, tag] = receive_message(source, tag, comm, context, limit_s)
    % Wait for the first message that matches and give back its values (a cell row), its sender and its tag.
    % limit_s: seconds to wait at most, [] for the job's deadline.
    %
    % The first part is the hot path: nothing is kept back, and the next message of the sender is the one that is asked
    % for. Whatever else is found is left where it is for the general way.

    global FILEMPI FILEMPI_IN
    if ~isempty(FILEMPI_IN) && FILEMPI_IN(1) > 0
        sync_counters();
    end
    if isempty(FILEMPI) || ~isfield(comm, 'key')
        check_arguments(source, tag, comm, true);
    end
    if FILEMPI.kept == 0 && FILEMPI.requests == 0 && comm.key == FILEMPI.key + comm.base && isa(source, 'double') ...
            && numel(source) == 1 && source >= 0 && source < comm.size && mod(source, 1) == 0 && isa(tag, 'double') ...
            && numel(tag) == 1 && ~issparse(tag + source)
        link = comm.base + source + 1;
        done = false;
        if FILEMPI.reader(link) > 0
            [values, done] = next_frame(source, tag, comm, context, link);
        elseif ~FILEMPI.streams && source ~= comm.rank && FILEMPI.stats
            [values, done] = next_file(source, tag, comm, context, link);
        end
        if done
            FILEMPI.last = [source, tag, numel(values)];
            return
        end
    end
    [values, source, tag] = wait_for_message(source, tag, comm, context, limit_s);
end

function [values, done] = next_frame(source, tag, comm, context, link)
    % The next message of a stream, if it is the one that is asked for.
    global FILEMPI
    values = {};
    done = false;
    fid = FILEMPI.reader(link);
    place = FILEMPI.position(link);
    spins = FILEMPI.spins;
    [words, count] = fread(fid, [1, 8], 'double');
    while count < 8 && spins > 0
        fseek(fid, place, 'bof');
        spins = spins - 1;
        [words, count] = fread(fid, [1, 8], 'double');
    end
    if count == 8
        sequence = FILEMPI.received(link) + 1;
        if words(1) == 1718447209 && words(2) == sequence && words(8) == sequence && words(3) == tag ...
                && (words(5) == context || (words(5) == 8 && context == 0)) % 8: sent by MPI_Bcast
            [values, done] = read_frame(fid, link, words, place);
        end
        if done && numel(values) == 1
            prepare_next(source, tag, comm, context, [fid, link, sequence + 1, FILEMPI.position(link)]);
        end
    end
    if ~done
        fseek(fid, place, 'bof');
    end
end

function [values, done] = read_frame(fid, link, words, place)
    global FILEMPI
    values = {};
    done = words(4) == 1 || words(4) == 3;
    if words(4) == 5 || words(4) == 6
        [values, done] = matrix_now(fid, link, words, place);
        return
    end
    if done
        FILEMPI.received(link) = words(2);
        FILEMPI.position(link) = place + 64;
        if words(4) == 1
            values = {words(6)};
        else
            values = file_now(sprintf('%s%d', FILEMPI.inbox{link}, words(2)), words);
        end
    end
end

function [values, done] = next_file(source, tag, comm, context, link)
    % The next message file of a sender, if it is the one that is asked for.
    global FILEMPI
    values = {};
    done = false;
    sequence = FILEMPI.received(link) + 1;
    name = sprintf('%s%d', FILEMPI.inbox{link}, sequence);
    [~, failed] = stat(name);
    spins = FILEMPI.spins;
    while failed ~= 0 && spins > 0
        spins = spins - 1;
        [~, failed] = stat(name);
    end
    if failed == 0
        [values, done] = file_if(name, [1718447209, sequence, tag, 3, context, 1, 0, sequence]);
        FILEMPI.received(link) = sequence - ~done;
        if done
            prepare_next(source, tag, comm, context, [0, link, sequence + 1, 0]);
        end
    end
end

function prepare_next(source, tag, comm, context, place)
    % MPI_Recv may take the next of this kind by its short way. place: stream, link, its sequence number, its position.
    global FILEMPI FILEMPI_FROM FILEMPI_READER FILEMPI_EXPECTED FILEMPI_IN
    if context == 0
        FILEMPI_FROM = [comm.key, source, tag];
        FILEMPI_READER = place(1);
        FILEMPI_EXPECTED = [1718447209, place(3), tag, 1, 0, 0, 0, place(3)];
        FILEMPI_IN = [place(2), place(4) - 64 * place(3), FILEMPI.spins];
    end
end

function [values, done] = matrix_now(fid, link, words, place)
    % A matrix that stands behind its frame, or a cell with one.
    global FILEMPI
    values = {};
    content = fread(fid, [1, words(7)], 'double');
    done = numel(content) == words(7);
    if ~done
        return
    end
    if content(end) ~= words(2)
        error('MPI:damaged', 'The frame %d of the stream %s has no end mark.', words(2), FILEMPI.inbox{link});
    end
    values = {reshape(content(1:end - 1), words(6), [])};
    if words(4) == 6
        values = {values};
    end
    FILEMPI.received(link) = words(2);
    FILEMPI.position(link) = place + 64 + 8 * words(7);
end

function values = file_now(name, words)
    % The values of a message file that a frame has announced.
    [values, done] = file_if(name, [words(1:5), 1, 0, words(8)]);
    if ~done
        [values, header] = read_whole_message(name, words(2));
        values = consume_file(values, header, name);
    end
end

function [values, done] = file_if(name, expected)
    % The value of a file that holds one unwrapped value under the header that is expected (0 where it stands for several
    % receivers); done is false, and the file untouched, when it is anything else or cannot be read at once.
    global FILEMPI
    values = {};
    done = false;
    if ~FILEMPI.octave
        return
    end
    try
        [value, h] = read_message(name);
        if h(2) == 0
            h([2, 8]) = expected(2);
        end
        done = numel(h) == 8 && all(h == expected);
    catch
        return
    end
    if done
        values = {value};
        [~, ~] = unlink(name);
    end
end
