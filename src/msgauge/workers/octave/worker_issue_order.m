function table = worker_issue_order(comm, kernel, count, operations, rounds)
    % Have all ranks do count samples; rounds: struct of agreed, period_ns, slack_ns, limit_ns and
    % turn. See worker_run_order for what comes back.

    start = 0;
    period = 0;
    if rounds.agreed
        period = ceil(rounds.period_ns / 1e3);
        start = double(tic()) + ceil(rounds.slack_ns / 1e3);
    end
    order = [count, operations, start, period, rounds.turn, rounds.limit_ns / 1e3];
    MPI_Bcast(0, 9, comm, order);
    table = worker_run_order(comm, kernel, order);
end
