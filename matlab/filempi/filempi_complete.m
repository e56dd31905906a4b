function [done, values] = filempi_complete(request, waiting, keep)
    % Complete a request: take in messages until the one it claims is there (or only those that are there already). keep:
    % only say whether it is there. Raises MPI:badRequest for what is no request, or one that was completed before, and
    % what a wait raises.

    global FILEMPI
    if ~(isstruct(request) && isfield(request, 'number'))
        error('MPI:badRequest', 'A request is what MPI_Isend or MPI_Irecv gave back.');
    end
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
                filempi_glance(request.source, request.comm);
                if isempty(claimed(request))
                    return
                end
            else
                wait = filempi_idle(wait, request.source, request.tag, request.comm);
            end
        end
        place = claimed(request);
    end
    done = true;
    if keep
        return
    end
    values = filempi_release(place, request.comm);
    FILEMPI.requests = FILEMPI.requests - 1;
end

function place = claimed(request)
    global FILEMPI
    place = [];
    if FILEMPI.kept > 0
        place = find(FILEMPI.keys(:, 4) == request.number, 1);
    end
end
