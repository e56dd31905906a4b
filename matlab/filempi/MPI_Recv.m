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
    % left for the general way. What can be done before the message is there is. What the globals hold: sync_counters.
    global FILEMPI_FROM FILEMPI_READER FILEMPI_EXPECTED FILEMPI_IN
    try
        if nargout < 2 && isnumeric(tag)
            if [comm.key, source, tag] == FILEMPI_FROM %#ok<BDSCI>
                expected = FILEMPI_EXPECTED;
                next = expected + [0, 1, 0, 0, 0, 0, 0, 1];
                if FILEMPI_READER
                    [words, count] = fread(FILEMPI_READER, [1, 8], 'double');
                    if count < 8
                        spins = FILEMPI_IN(3);
                        place = FILEMPI_IN(2) + 64 * expected(2);
                        while count < 8 && spins > 0
                            fseek(FILEMPI_READER, place, 'bof');
                            spins = spins - 1;
                            [words, count] = fread(FILEMPI_READER, [1, 8], 'double');
                        end
                    end
                    if count == 8
                        varargout = {words(6)};
                        words(6) = 0;
                        if words == expected %#ok<BDSCI>
                            FILEMPI_EXPECTED = next;
                            return
                        end
                        words(6) = varargout{1};
                        [done, varargout] = announced_file(words, expected);
                        if done
                            return
                        end
                    end
                else
                    [done, varargout] = next_file(expected, next);
                    if done
                        return
                    end
                end
            end
        end
    catch % whatever it is, the general way sees it too
    end
    varargout = receive_values(source, tag, comm);
    if nargout > numel(varargout)
        check_outputs(varargout, nargout);
    end
end

function [done, values] = announced_file(words, expected)
    % The array of the message file that the frame in words announces.
    global FILEMPI FILEMPI_IN
    done = false;
    values = {};
    expected([4, 6]) = [3, 1];
    if words == expected %#ok<BDSCI>
        name = sprintf('%s%d', FILEMPI.inbox{FILEMPI_IN(1)}, expected(2));
        [done, values] = array_of_file(load('-v6', name, 'v', 'h'), name, expected);
    end
end

function [done, values] = next_file(expected, next)
    % The next message where there is no stream.
    global FILEMPI FILEMPI_EXPECTED FILEMPI_IN FILEMPI_PAST
    done = false;
    values = {};
    name = sprintf('%s%d', FILEMPI.inbox{FILEMPI_IN(1)}, expected(2));
    spins = FILEMPI_IN(3);
    if ~isempty(FILEMPI_PAST)
        [~, ~] = unlink(FILEMPI_PAST);
        FILEMPI_PAST = '';
    end
    while isempty(stat(name))
        spins = spins - 1;
        if spins < 0
            return
        end
    end
    content = load('-v6', name);
    words = content.h;
    values = {words(6)};
    words(6) = 0;
    if words == expected %#ok<BDSCI>
        FILEMPI_EXPECTED = next;
        FILEMPI_PAST = name;
        done = true;
    else
        [done, values] = array_of_file(content, name, expected);
    end
end

function [done, values] = array_of_file(content, name, expected)
    % The array that was read from a message file, if its header is the one expected.
    global FILEMPI_EXPECTED FILEMPI_PAST
    done = false;
    values = {};
    expected([4, 6]) = [3, 1];
    if content.h == expected %#ok<BDSCI>
        FILEMPI_EXPECTED([2, 8]) = expected(2) + 1;
        values = {content.v};
        if ~isempty(FILEMPI_PAST)
            [~, ~] = unlink(FILEMPI_PAST);
        end
        FILEMPI_PAST = name;
        if numel(content.v) > 524288 % a large file goes at once, for its room may be wanted
            defer_delete('');
        end
        done = true;
    end
end
