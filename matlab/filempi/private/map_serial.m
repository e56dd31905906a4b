function results = map_serial(task, inputs)
    % MPI_Map without other ranks: each task up to three times. Raises MPI:taskFailed.

    results = cell(size(inputs));
    for k = 1:numel(inputs)
        for attempt = 1:3
            try
                results{k} = task(inputs{k});
                break
            catch problem
                if attempt == 3
                    error('MPI:taskFailed', 'Task %d failed three times: %s', k, problem.message);
                end
            end
        end
    end
end
