function varargout = MPI_Recv(source, tag, comm)
    % MPI_Recv  -  Receive the values of one message; waits until it is there.
    %
    %   [v1, v2, ...] = MPI_Recv(source, tag, comm)
    %
    % source and tag may be '*' (any); MPI_Status(comm) then says whose message it was.
    %
    % Errors: MPI:badComm (before MPI_Init), MPI:badRank, MPI:badTag, MPI:timeout (nothing came before the deadline),
    % MPI:peerLost (the sender has ended), MPI:aborted, MPI:damaged, MPI:fewerValues (more outputs than were sent).

    % A further real double array from the same rank with the same tag, as MPI_Send sends it; whatever else is there is
    % left for the general way. All that can be prepared is, before the first look.
    % FILEMPI_IN: source, tag, key, stream (0: files), link, sequence, position, spins (sync_counters).
    global FILEMPI_IN
    hot = FILEMPI_IN;
    try
        if hot(3) == comm.key && hot(1) == source && hot(2) == tag && nargout < 2
            spins = hot(8);
            place = hot(7);
            stream = hot(4);
            hot = hot + [0, 0, 0, 0, 0, 1, 64, 0];
            hot(1) = source; % an error for an array; so is the next line's use of an array of tags
            expected = [1718447209, hot(6), tag, 1, 0, 0, 0, hot(6)]; % with a text tag a text, equal to no frame
            if stream > 0
                [words, count] = fread(stream, [1, 8], 'double');
                while count < 8 && spins > 0
                    fseek(stream, place, 'bof');
                    spins = spins - 1;
                    [words, count] = fread(stream, [1, 8], 'double');
                end
                if count == 8
                    value = words(6);
                    words(6) = 0;
                    if words == expected %#ok<BDSCI>
                        FILEMPI_IN = hot;
                        varargout = {value};
                        return
                    end
                    words(6) = value;
                    [done, varargout] = announced_file(hot, words, expected);
                    if done
                        return
                    end
                end
                fseek(stream, place, 'bof');
            else
                [done, varargout] = next_file(hot, expected, spins);
                if done
                    return
                end
            end
        end
    catch
        reset_position();
    end
    varargout = receive_values(source, tag, comm);
    if nargout > numel(varargout)
        check_outputs(varargout, nargout);
    end
end

function [done, values] = announced_file(hot, words, expected)
    % The array of the message file that the frame in words announces.
    global FILEMPI FILEMPI_IN
    done = false;
    values = {};
    expected([4, 6]) = [3, 1];
    if words == expected %#ok<BDSCI>
        name = sprintf('%s%d', FILEMPI.inbox{hot(5)}, hot(6));
        content = load('-v6', name, 'v', 'h');
        if content.h == expected %#ok<BDSCI>
            FILEMPI_IN = hot;
            values = {content.v};
            defer_file(name, content.v);
            done = true;
        end
    end
end

function [done, values] = next_file(hot, expected, spins)
    % The next message where there is no stream. FILEMPI_PAST: the file of the message received last (defer_delete).
    global FILEMPI FILEMPI_IN FILEMPI_PAST
    done = false;
    values = {};
    name = sprintf('%s%d', FILEMPI.inbox{hot(5)}, hot(6));
    if ~isempty(FILEMPI_PAST)
        [~, ~] = unlink(FILEMPI_PAST);
        FILEMPI_PAST = '';
    end
    [~, failed] = stat(name);
    while failed ~= 0 && spins > 0
        spins = spins - 1;
        [~, failed] = stat(name);
    end
    if failed ~= 0
        return
    end
    content = load('-v6', name, 'h', 'v');
    h = content.h;
    if h(4) == 1
        values = {h(6)};
        h(6) = 0;
        done = all(h == expected);
        if done
            FILEMPI_PAST = name;
        end
    else
        expected([4, 6]) = [3, 1];
        done = all(h == expected);
        if done
            values = {content.v};
            defer_file(name, content.v);
        end
    end
    if done
        FILEMPI_IN = hot;
    end
end

function defer_file(name, value)
    % A large file goes at once, for its room may be wanted.
    defer_delete(name);
    if numel(value) > 524288
        defer_delete('');
    end
end
