function results = MPI_Map(task, inputs, comm)
    % MPI_Map  -  Apply a function to every element of a cell, on all ranks but 0, which hands out; called by all ranks.
    %
    %   results = MPI_Map(task, inputs)      on rank 0 a cell of the same size as inputs; {} on the others
    %
    % Rank 0 hands the inputs out one by one to whichever rank is free (inputs are read on rank 0 only); task is called as
    % task(inputs{k}). A task that raises an error, or whose rank dies, is tried again elsewhere, three times in all.
    % Alone, rank 0 does the work itself.
    %
    % Errors: MPI:taskFailed (names the tasks that failed three times, and why), MPI:badInputs, MPI:cannotCarry.

    if nargin < 3
        comm = world_comm();
    end
    global FILEMPI
    check_arguments(0, 0, comm, false);
    FILEMPI.maps = FILEMPI.maps + 1; % the tag of all that belongs to this call
    if comm.rank ~= 0
        map_worker(task, comm);
        results = {};
    elseif comm.size == 1
        check(inputs);
        results = map_serial(task, inputs);
    else
        try
            check(inputs);
            results = map_root(inputs, comm);
        catch problem
            map_stop_workers(false(1, comm.size), comm);
            rethrow(problem);
        end
    end
end

function check(inputs)
    if ~iscell(inputs)
        error('MPI:badInputs', 'The inputs of MPI_Map are a cell with one element for each task, not a %s.', class(inputs));
    end
    wrap_values(inputs, '', 'inputs{%d}');
end
