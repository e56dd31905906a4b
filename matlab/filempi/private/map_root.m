function results = map_root(inputs, comm)
    % The part of rank 0 in MPI_Map: hand out tasks, take back results, retry what failed, go on without ranks that died.
    % Raises MPI:taskFailed.

    bag = struct('results', {cell(size(inputs))}, 'queue', 1:numel(inputs), 'tries', zeros(1, numel(inputs)), ...
                 'reason', {cell(1, numel(inputs))}, 'doing', zeros(1, comm.size), 'left', numel(inputs), ...
                 'idle', false(1, comm.size), 'dead', false(1, comm.size));
    bag.dead(1) = true;
    wait = start_wait([], 3);
    while bag.left > 0
        [bag, progress] = collect_answers(bag, comm);
        bag = hand_out(bag, inputs, comm);
        if progress
            wait = start_wait([], 3);
        elseif bag.left > 0
            wait = wait_for_answer(wait, comm);
            bag = mark_dead_ranks(bag, comm);
        end
    end
    map_stop_workers(bag.dead, comm);
    failed = find(~cellfun('isempty', bag.reason));
    if ~isempty(failed)
        lines = arrayfun(@(k) sprintf('Task %d: %s', k, bag.reason{k}), failed, 'UniformOutput', false);
        error('MPI:taskFailed', '%d of %d tasks failed three times.\n%s', numel(failed), numel(inputs), ...
              strjoin(lines, sprintf('\n')));
    end
    results = bag.results;
end

function [bag, progress] = collect_answers(bag, comm)
    global FILEMPI
    progress = poll_source('*', comm);
    place = find_unexpected('*', FILEMPI.maps, comm, 3);
    while ~isempty(place)
        [answer, rank] = dequeue(place, comm);
        bag.idle(rank + 1) = true;
        bag.doing(rank + 1) = 0;
        if answer{1} > 0
            bag = record_answer(bag, answer{1}, answer{2}, answer{3});
        end
        progress = true;
        place = find_unexpected('*', FILEMPI.maps, comm, 3);
    end
end

function bag = record_answer(bag, task, reason, result)
    bag.tries(task) = bag.tries(task) + 1;
    if isempty(reason)
        bag.results{task} = result;
        bag.left = bag.left - 1;
    elseif bag.tries(task) < 3
        bag.queue(end + 1) = task;
    else
        bag.reason{task} = reason;
        bag.left = bag.left - 1;
    end
end

function bag = hand_out(bag, inputs, comm)
    global FILEMPI
    for rank = find(bag.idle & ~bag.dead) - 1
        if isempty(bag.queue)
            return
        end
        task = bag.queue(1);
        bag.queue(1) = [];
        bag.doing(rank + 1) = task;
        bag.idle(rank + 1) = false;
        try
            send_message(rank, FILEMPI.maps, comm, 3, {task, inputs{task}});
        catch problem
            if ~strcmp(problem.identifier, 'MPI:peerLost') % else it is marked dead, and the task done elsewhere
                rethrow(problem);
            end
        end
    end
end

function wait = wait_for_answer(wait, comm)
    global FILEMPI
    wait.tolerant = true;
    wait = wait_step(wait, '*', FILEMPI.maps, comm);
end

function bag = mark_dead_ranks(bag, comm)
    global FILEMPI
    for rank = find(~bag.dead) - 1
        status = read_exit_status(rank);
        if ~isempty(status) && isempty(find_unexpected(rank, FILEMPI.maps, comm, 3)) && ~poll_source(rank, comm)
            bag.dead(rank + 1) = true;
            task = bag.doing(rank + 1);
            if task > 0
                bag.doing(rank + 1) = 0;
                reason = exit_status_text(status, FILEMPI.hosts{rank + 1});
                bag = record_answer(bag, task, sprintf('rank %d died (%s)', rank, reason), []);
            end
        end
    end
end
