function filempi_map_work(task, comm)
    % The part of a worker in MPI_Map: ask for a task, do it, send the result with the next question, until there is none.

    global FILEMPI
    filempi_post(0, FILEMPI.maps, comm, 3, {0, '', []});
    got = filempi_receive(0, FILEMPI.maps, comm, 3, []);
    while got{1} > 0
        filempi_post(0, FILEMPI.maps, comm, 3, attempt(task, got{1}, got{2}));
        got = filempi_receive(0, FILEMPI.maps, comm, 3, []);
    end
end

function answer = attempt(task, number, input)
    try
        result = task(input);
        filempi_pack({result});
        answer = {number, '', result};
    catch problem
        answer = {number, problem.message, []};
    end
end
