function [done, values] = filempi_complete(request, waiting)
    % Complete a request: take in messages until the one it claims is there (or only those that are there already).
    % Raises MPI:badRequest for a request that was completed before, and what a wait raises.

    global FILEMPI
    done = request.number == 0;
    values = {};
    if done
        return
    end
    wait = filempi_wait_start([]);
    place = claimed(request);
    while isempty(place)
        if ~any(FILEMPI.posted(:, 4) == request.number)
            error('MPI:badRequest', 'This request is complete already; its message was given out.');
        end
        if ~filempi_take_from(request.source, request.comm)
            if ~waiting
                return
            end
            wait = filempi_idle(wait, request.source, request.tag, request.comm);
        end
        place = claimed(request);
    end
    values = filempi_release(place, request.comm);
    FILEMPI.requests = FILEMPI.requests - 1;
    done = true;
end

function place = claimed(request)
    global FILEMPI
    place = [];
    if FILEMPI.kept > 0
        place = find(FILEMPI.keys(:, 4) == request.number, 1);
    end
end
