function [values, source, tag] = filempi_receive(source, tag, comm, context, limit_s)
    % Wait for the first message that matches and give back its values (a cell row), its sender and its tag.
    % limit_s: seconds to wait at most, [] for the job's deadline.
    %
    % The first part is the hot path: nothing is kept back, and the next message of the sender is the one that is asked
    % for. Whatever else is found is left where it is for the general way.

    global FILEMPI FILEMPI_IN
    if ~isempty(FILEMPI_IN) && FILEMPI_IN(1) >= 0
        filempi_sync();
    end
    if isempty(FILEMPI) || ~isfield(comm, 'key')
        filempi_check(source, tag, comm, true);
    end
    if FILEMPI.kept == 0 && FILEMPI.requests == 0 && comm.key == FILEMPI.key + comm.base && isa(source, 'double') ...
            && numel(source) == 1 && source >= 0 && source < comm.size && mod(source, 1) == 0 && isa(tag, 'double') ...
            && numel(tag) == 1 && ~issparse(tag + source)
        link = comm.base + source + 1;
        fid = FILEMPI.reader(link);
        done = false;
        if fid > 0
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
                if words(1) == 1718447209 && words(2) == sequence && words(8) == sequence && words(5) == context ...
                        && words(3) == tag
                    if words(4) == 1
                        FILEMPI.received(link) = sequence;
                        FILEMPI.position(link) = place + 64;
                        FILEMPI.last = [source, tag, 1];
                        if context == 0 && source ~= 42 && tag ~= 42 % '*' as a number
                            FILEMPI_IN = [source, tag, comm.key, fid, link, sequence, place + 64, FILEMPI.spins];
                        end
                        values = {words(6)};
                        return
                    elseif words(4) == 5
                        [values, done] = matrix_now(fid, link, words, place);
                    elseif words(4) == 3
                        FILEMPI.received(link) = sequence;
                        FILEMPI.position(link) = place + 64;
                        values = file_now(sprintf('%s%d', FILEMPI.inbox{link}, sequence), words);
                        done = true;
                        if context == 0 && source ~= 42 && tag ~= 42 && numel(values) == 1
                            FILEMPI_IN = [source, tag, comm.key, fid, link, sequence, place + 64, FILEMPI.spins];
                        end
                    end
                end
            end
            if ~done
                fseek(fid, place, 'bof');
            end
        elseif ~FILEMPI.streams && source ~= comm.rank && FILEMPI.stats
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
                if done && context == 0 && source ~= 42 && tag ~= 42
                    FILEMPI_IN = [source, tag, comm.key, 0, link, sequence, 0, FILEMPI.spins];
                end
            end
        end
        if done
            FILEMPI.last = [source, tag, numel(values)];
            return
        end
    end
    [values, source, tag] = filempi_await(source, tag, comm, context, limit_s);
end

function [values, done] = matrix_now(fid, link, words, place)
    % A matrix that stands behind its frame.
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
    FILEMPI.received(link) = words(2);
    FILEMPI.position(link) = place + 64 + 8 * words(7);
end

function values = file_now(name, words)
    % The values of a message file that a frame has announced.
    [values, done] = file_if(name, [words(1:5), 1, 0, words(8)]);
    if ~done
        [values, header] = filempi_fetch_whole(name, words(2));
        values = filempi_opened(values, header, name);
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
        [value, h] = filempi_fetch(name);
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
