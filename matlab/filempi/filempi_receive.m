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
    if FILEMPI.kept == 0 && FILEMPI.requests == 0 && isnumeric(source) && numel(source) == 1 ...
            && source >= 0 && source < comm.size && mod(source, 1) == 0
        link = comm.base + source + 1;
        fid = FILEMPI.reader(link);
        if fid > 0
            position = FILEMPI.position(link);
            words = filempi_read(fid, 8, position, FILEMPI.spins);
            if numel(words) == 8
                sequence = FILEMPI.received(link) + 1;
                if words(1) == 1718447209 && words(2) == sequence && words(8) == sequence && words(5) == context ...
                        && isnumeric(tag) && words(3) == tag
                    if words(4) == 1
                        FILEMPI.received(link) = sequence;
                        FILEMPI.position(link) = position + 64;
                        FILEMPI.last = [source, tag, 1];
                        if context == 0 && source ~= 42 && tag ~= 42 % '*' as a number
                            FILEMPI_IN = [source, tag, comm.base, fid, link, sequence, position + 64, FILEMPI.spins];
                        end
                        values = {words(6)};
                        return
                    elseif words(4) == 5 || words(4) == 3
                        [values, done] = take_now(link, words, position);
                        if done
                            FILEMPI.last = [source, tag, numel(values)];
                            return
                        end
                    end
                end
                fseek(fid, position, 'bof');
            end
        elseif ~FILEMPI.streams && ~FILEMPI.classic && source ~= comm.rank
            [values, done] = file_now(link, source, tag, context);
            if done
                return
            end
        end
    end
    [values, source, tag] = filempi_await(source, tag, comm, context, limit_s);
end

function [values, done] = take_now(link, words, position)
    global FILEMPI
    values = {};
    done = true;
    if words(4) == 5
        [value, done] = filempi_matrix(link, words, position);
        if ~done
            return
        end
        values = {value};
        position = position + 8 * words(7);
    end
    FILEMPI.received(link) = words(2);
    FILEMPI.position(link) = position + 64;
    if words(4) == 3
        name = sprintf('%s%d', FILEMPI.inbox{link}, words(2));
        [values, header] = filempi_fetch_whole(name, words(2));
        values = filempi_opened(values, header, name);
    end
end

function [values, done] = file_now(link, source, tag, context)
    global FILEMPI
    values = {};
    sequence = FILEMPI.received(link) + 1;
    name = sprintf('%s%d', FILEMPI.inbox{link}, sequence);
    spins = FILEMPI.spins;
    done = filempi_exists(name);
    while spins > 0 && ~done
        spins = spins - 1;
        done = filempi_exists(name);
    end
    if ~done
        return
    end
    [values, header] = filempi_fetch_whole(name, sequence);
    done = header(5) == context && isnumeric(tag) && header(3) == tag;
    if done
        FILEMPI.received(link) = sequence;
        values = filempi_opened(values, header, name);
        FILEMPI.last = [source, tag, numel(values)];
    end
end
