function results = filempi_map_lead(inputs, comm)
    % The part of rank 0 in MPI_Map: hand out tasks, take back results, retry what failed, go on without ranks that died.
    % Raises MPI:taskFailed.

    bag = struct('results', {cell(size(inputs))}, 'queue', 1:numel(inputs), 'tries', zeros(1, numel(inputs)), ...
                 'reason', {cell(1, numel(inputs))}, 'doing', zeros(1, comm.size), 'left', numel(inputs), ...
                 'idle', false(1, comm.size), 'dead', false(1, comm.size));
    bag.dead(1) = true;
    wait = filempi_wait_start([]);
    while bag.left > 0
        [bag, progress] = hear(bag, comm);
        bag = hand_out(bag, inputs, comm);
        if progress
            wait = filempi_wait_start([]);
        elseif bag.left > 0
            wait = rest(wait, comm);
            bag = bury(bag, comm);
        end
    end
    filempi_map_dismiss(bag.dead, comm);
    failed = find(~cellfun('isempty', bag.reason));
    if ~isempty(failed)
        lines = arrayfun(@(k) sprintf('Task %d: %s', k, bag.reason{k}), failed, 'UniformOutput', false);
        error('MPI:taskFailed', '%d of %d tasks failed three times.\n%s', numel(failed), numel(inputs), ...
              strjoin(lines, sprintf('\n')));
    end
    results = bag.results;
end

function [bag, progress] = hear(bag, comm)
    global FILEMPI
    progress = filempi_take_from('*', comm);
    place = filempi_find('*', FILEMPI.maps, comm, 3);
    while ~isempty(place)
        [answer, rank] = filempi_release(place, comm);
        bag.idle(rank + 1) = true;
        bag.doing(rank + 1) = 0;
        if answer{1} > 0
            bag = settle(bag, answer{1}, answer{2}, answer{3});
        end
        progress = true;
        place = filempi_find('*', FILEMPI.maps, comm, 3);
    end
end

function bag = settle(bag, task, reason, result)
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
            filempi_post(rank, FILEMPI.maps, comm, 3, {task, inputs{task}});
        catch problem
            if ~strcmp(problem.identifier, 'MPI:peerLost') % else it is buried, and the task done elsewhere
                rethrow(problem);
            end
        end
    end
end

function wait = rest(wait, comm)
    global FILEMPI
    wait.tolerant = true;
    wait = filempi_idle(wait, '*', FILEMPI.maps, comm);
end

function bag = bury(bag, comm)
    global FILEMPI
    for rank = find(~bag.dead) - 1
        status = filempi_exit_status(rank);
        if ~isempty(status) && isempty(filempi_find(rank, FILEMPI.maps, comm, 3)) && ~filempi_take_from(rank, comm)
            bag.dead(rank + 1) = true;
            task = bag.doing(rank + 1);
            if task > 0
                bag.doing(rank + 1) = 0;
                bag = settle(bag, task, sprintf('rank %d died (%s)', rank, filempi_status_text(status)), []);
            end
        end
    end
end
