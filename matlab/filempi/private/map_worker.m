function map_worker(task, comm)
    % The part of a worker in MPI_Map: ask for a task, do it, send the result with the next question, until there is none.

    global FILEMPI
    send_message(0, FILEMPI.maps, comm, 3, {0, '', []});
    got = receive_message(0, FILEMPI.maps, comm, 3, []);
    while got{1} > 0
        send_message(0, FILEMPI.maps, comm, 3, attempt(task, got{1}, got{2}));
        got = receive_message(0, FILEMPI.maps, comm, 3, []);
    end
end

function answer = attempt(task, number, input)
    try
        result = task(input);
        wrap_values({result});
        answer = {number, '', result};
    catch problem
        answer = {number, problem.message, []};
    end
end
