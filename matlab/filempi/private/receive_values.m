function values = receive_values(source, tag, comm)
    % What MPI_Recv, MPI_Bcast and MPI_Mcast receive: a message of the program. With a communicator that saves messages the
    % last one received of a sender and tag stays, and is received again when no newer one has come, as in the reference.

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
