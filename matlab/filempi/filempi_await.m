function [values, source, tag] = filempi_await(source, tag, comm, context, limit_s)
    % Receive by the general way: look among the messages kept back, take in what has arrived, else wait a little.

    global FILEMPI
    [source, tag] = filempi_check(source, tag, comm, true);
    if FILEMPI.classic
        [values, source, tag] = filempi_classic_receive(source, tag, comm, context, limit_s);
        return
    end
    wait = [];
    place = filempi_find(source, tag, comm, context);
    while isempty(place)
        if ~filempi_take_from(source, comm)
            if isempty(wait)
                wait = filempi_wait_start(limit_s);
            end
            wait = filempi_idle(wait, source, tag, comm);
        end
        place = filempi_find(source, tag, comm, context);
    end
    [values, source, tag] = filempi_release(place, comm);
end
