function MPI_Send(dest, tag, comm, value, varargin)
    % MPI_Send  -  Send values to rank dest; returns at once.
    %
    %   MPI_Send(dest, tag, comm, v1, v2, ...)
    %
    % The values are copied when the call is made: changing them afterwards does not change the message.
    % Messages of one sender to one receiver arrive in the order in which they were sent.
    %
    % Errors: MPI:badComm (before MPI_Init), MPI:badRank, MPI:badTag, MPI:cannotCarry (a value that a message
    % cannot hold, by name), MPI:writeFailed (full disk), MPI:peerLost (dest has failed) and MPI:aborted, both not at once.

    % A further real double array to the same rank with the same tag: all checks were made for the one before, and its
    % frame stands ready. Each statement costs 1 to 3 us here, so nothing is done that can be done without, and before the
    % message is on its way nothing that can be done after; what is not exactly that (also an array as dest or tag) goes
    % the general way, if need be by an error. isnumeric: a text of one letter equals its code. What the globals hold:
    % sync_counters.
    global FILEMPI_TO FILEMPI_WRITER FILEMPI_FRAME FILEMPI_LIMIT
    try
        if nargin == 4 && isa(value, 'double') && isnumeric(tag)
            if [comm.key, dest, tag] == FILEMPI_TO %#ok<BDSCI>
                h = FILEMPI_FRAME;
                if sizeof(value) == 8
                    h(6) = value;
                    if FILEMPI_WRITER
                        fwrite(FILEMPI_WRITER, h, 'double');
                        fflush(FILEMPI_WRITER);
                        FILEMPI_FRAME = h + [0, 1, 0, 0, 0, 0, 0, 1];
                        if h(2) >= FILEMPI_LIMIT
                            sync_counters();
                        end
                        return
                    end
                    global FILEMPI_STEM FILEMPI_NEXT FILEMPI_TEMPORARY %#ok<TLEV>
                    save('-v6', FILEMPI_TEMPORARY, 'h');
                    facts = stat(FILEMPI_TEMPORARY); % a file this small has one block or none, on a full disk
                    if facts.size > 0 && rename(FILEMPI_TEMPORARY, FILEMPI_NEXT) == 0
                        FILEMPI_FRAME = h + [0, 1, 0, 0, 0, 0, 0, 1];
                        FILEMPI_NEXT = sprintf('%s%d', FILEMPI_STEM, h(2) + 1);
                        return
                    end
                elseif isreal(value) && ~issparse(value) && send_file(h, value)
                    return
                end
            end
        end
        if nargin == 4 && send_again(dest, tag, comm, value)
            return
        end
    catch problem
        if strncmp(problem.identifier, 'MPI:', 4)
            rethrow(problem);
        end
    end
    if nargin > 3
        varargin = [{value}, varargin];
    end
    send_message(dest, tag, comm, 0, varargin);
end

function done = send_again(dest, tag, comm, value)
    % One more small real double array over the stream that is remembered, with any tag, by itself or in a cell, as pMatlab
    % sends all; done is false, and nothing changed, when it is none.
    global FILEMPI_TO FILEMPI_WRITER FILEMPI_FRAME FILEMPI_LIMIT FILEMPI_OUT
    kind = 5;
    if iscell(value) && numel(value) == 1
        value = value{1};
        kind = 6;
    end
    count = numel(value);
    done = FILEMPI_OUT(1) > 0 && FILEMPI_WRITER > 0 && isa(value, 'double') && count > 0 && 8 * count <= FILEMPI_OUT(2) ...
           && isa(tag, 'double') && numel(tag) == 1 && isa(dest, 'double') && all([comm.key, dest] == FILEMPI_TO([1, 2])) ...
           && mod(tag, 1) == 0 && abs(tag) <= 9007199254740992 && ~issparse(tag + dest) && isreal(value) ...
           && ~issparse(value) && ndims(value) == 2;
    if ~done
        return
    end
    h = FILEMPI_FRAME;
    h(3) = tag;
    if kind == 5 && count == 1
        h(6) = value;
        append_words(FILEMPI_WRITER, h);
    else
        frame = h;
        frame([4, 6, 7]) = [kind, size(value, 1), count + 1];
        append_words(FILEMPI_WRITER, [frame, value(:).', h(2)]);
        FILEMPI_LIMIT = FILEMPI_LIMIT - (count + 1) / 8;
    end
    FILEMPI_TO(3) = tag;
    FILEMPI_FRAME = h + [0, 1, 0, 0, 0, 0, 0, 1];
    if h(2) >= FILEMPI_LIMIT
        sync_counters();
    end
end

function done = send_file(h, value)
    % An array as a message file, announced where there is a stream; done is false, and nothing changed, when it is none that
    % goes as a file, or could not be written as it should.
    global FILEMPI_WRITER FILEMPI_FRAME FILEMPI_LIMIT FILEMPI_OUT FILEMPI_STEM FILEMPI_NEXT
    bytes = sizeof(value);
    done = bytes > FILEMPI_OUT(2) && bytes <= FILEMPI_OUT(3);
    if ~done
        return
    end
    temporary = [FILEMPI_STEM, 't'];
    v = value;
    h([4, 6]) = [3, 1];
    save('-v6', temporary, 'v', 'h');
    [facts, failed] = stat(temporary);
    name = sprintf('%s%d', FILEMPI_STEM, h(2));
    done = failed == 0 && mod(facts.size, 512) ~= 0 && rename(temporary, name) == 0;
    if ~done
        return
    end
    FILEMPI_FRAME([2, 8]) = h(2) + 1;
    link = FILEMPI_OUT(1);
    if FILEMPI_WRITER
        fwrite(FILEMPI_WRITER, h, 'double');
        fflush(FILEMPI_WRITER);
        if h(2) >= FILEMPI_LIMIT
            sync_counters();
        end
    else
        FILEMPI_NEXT = sprintf('%s%d', FILEMPI_STEM, h(2) + 1);
    end
    defer_delete('');
    if mod(h(2), 16) == 0
        check_receiver(link);
    end
end
