function values = receive_values(source, tag, comm)
    % What MPI_Recv, MPI_Bcast and MPI_Mcast receive: a message of the program. With a communicator that saves messages the
    % last one received of a sender and tag stays, and is received again when no newer one has come, as in the reference.

    try
        [values, done] = receive_again(source, tag, comm);
        if done
            return
        end
    catch % whatever it is, the general way sees it too
    end
    if ~(isstruct(comm) && isfield(comm, 'save_message_flag') && comm.save_message_flag ~= 0)
        values = receive_message(source, tag, comm, 0, []);
        return
    end
    global FILEMPI
    [source, tag] = check_arguments(source, tag, comm, true);
    if FILEMPI.classic
        values = receive_message(source, tag, comm, 0, []);
        return
    end
    while poll_source(source, comm)
    end
    if isempty(find_unexpected(source, tag, comm, 0))
        place = find_saved(source, tag, comm);
        if ~isempty(place)
            key = FILEMPI.saved(place(end)).key;
            values = FILEMPI.saved(place(end)).values;
            FILEMPI.last = [key(1) - comm.base - 1, key(2), numel(values)];
            return
        end
    end
    [values, source, tag] = receive_message(source, tag, comm, 0, []);
    place = find_saved(source, tag, comm);
    FILEMPI.saved(place) = [];
    FILEMPI.saved(end + 1) = struct('key', [comm.base + source + 1, tag], 'values', {values});
end

function [values, done] = receive_again(source, tag, comm)
    % One more small real double array over the stream that is remembered, with any tag, by itself or in a cell; done is
    % false, and nothing changed, when the next message is none.
    global FILEMPI_FROM FILEMPI_READER FILEMPI_EXPECTED FILEMPI_IN
    values = {};
    done = FILEMPI_IN(1) > 0 && FILEMPI_READER > 0 && isa(tag, 'double') && numel(tag) == 1 && isa(source, 'double') ...
           && all([comm.key, source] == FILEMPI_FROM([1, 2])) && ~issparse(tag + source);
    if ~done
        return
    end
    sequence = FILEMPI_EXPECTED(2);
    place = FILEMPI_IN(2) + 64 * sequence;
    spins = FILEMPI_IN(3);
    count = 0;
    while count < 8 && spins >= 0
        fseek(FILEMPI_READER, place, 'bof');
        spins = spins - 1;
        [words, count] = fread(FILEMPI_READER, [1, 8], 'double');
    end
    done = count == 8 && all(words([1, 2, 3, 5, 8]) == [1718447209, sequence, tag, 0, sequence]);
    if ~done
        return
    end
    extra = 0;
    if words(4) == 1
        values = {words(6)};
    elseif words(4) == 5 || words(4) == 6
        extra = words(7);
        content = fread(FILEMPI_READER, [1, extra], 'double');
        done = numel(content) == extra && content(end) == sequence;
        if done
            values = {reshape(content(1:end - 1), words(6), [])};
        end
        if words(4) == 6
            values = {values};
        end
    else
        done = false;
    end
    if done
        FILEMPI_FROM(3) = tag;
        FILEMPI_EXPECTED([2, 3, 8]) = [sequence + 1, tag, sequence + 1];
        FILEMPI_IN(2) = FILEMPI_IN(2) + 8 * extra;
    end
end
