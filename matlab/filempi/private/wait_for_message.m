function [values, source, tag] = wait_for_message(source, tag, comm, context, limit_s)
    % Receive by the general way: look among the messages kept back, take in what has arrived, else wait a little.

    global FILEMPI
    [source, tag] = check_arguments(source, tag, comm, true);
    if FILEMPI.classic
        [values, source, tag] = classic_receive(source, tag, comm, context, limit_s);
        return
    end
    wait = [];
    place = find_unexpected(source, tag, comm, context);
    while isempty(place)
        if ~poll_source(source, comm)
            if isempty(wait)
                wait = start_wait(limit_s, context);
            end
            wait = wait_step(wait, source, tag, comm);
        end
        place = find_unexpected(source, tag, comm, context);
    end
    [values, source, tag] = dequeue(place, comm);
end
