function table = worker_order(comm, kernel, count, operations, rounds)
    % Have all ranks do count samples; rounds: struct of period_us and turn. See worker_take for what comes back.

    start = 0;
    if rounds.period_us > 0
        start = double(tic()) + 1000 + rounds.period_us;
    end
    order = MPI_Bcast(0, 9, comm, [count, operations, start, rounds.period_us, rounds.turn]);
    table = worker_take(comm, kernel, order);
end
