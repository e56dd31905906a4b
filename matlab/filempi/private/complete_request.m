function [done, values] = complete_request(request, waiting, keep)
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
    wait = start_wait([], 0);
    place = claimed(request);
    while isempty(place)
        if ~any(FILEMPI.posted(:, 4) == request.number)
            error('MPI:badRequest', 'This request is complete already; its message was given out.');
        end
        if ~poll_source(request.source, request.comm)
            if ~waiting
                throttled_peer_check(request.source, request.comm);
                if isempty(claimed(request))
                    return
                end
            else
                wait = wait_step(wait, request.source, request.tag, request.comm);
            end
        end
        place = claimed(request);
    end
    done = true;
    if keep
        return
    end
    values = dequeue(place, request.comm);
    FILEMPI.requests = FILEMPI.requests - 1;
end

function place = claimed(request)
    global FILEMPI
    place = [];
    if FILEMPI.kept > 0
        place = find(FILEMPI.keys(:, 4) == request.number, 1);
    end
end
