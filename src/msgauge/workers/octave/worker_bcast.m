function worker_bcast(comm, file, plan, item, head)
    % Broadcast rounds, each begun by a barrier: the span from the first start to the last end on the one clock of this
    % machine, and beside it the root's time, the mean of the ranks and how far their ends lie apart.

    payload = worker_payload(item.bytes);
    series = zeros(0, 4);
    spent_ns = 0;
    going = true;
    while going
        MPI_Barrier(comm);
        started = tic();
        MPI_Bcast(0, 1, comm, payload);
        ended = tic();
        times = MPI_Gather(0, 2, comm, double([started, ended]));
        if comm.rank == 0
            table = vertcat(times{:}) * 1e3;
            spans = table(:, 2) - table(:, 1);
            series(end + 1, :) = [max(table(:, 2)) - min(table(:, 1)), spans(1), mean(spans), ...
                                  max(table(:, 2)) - min(table(:, 2))]; %#ok<AGROW>
            spent_ns = spent_ns + series(end, 1);
            going = size(series, 1) < 10 || (spent_ns < plan.budget_ns && size(series, 1) < 10000);
        end
        going = MPI_Bcast(0, 3, comm, going);
    end
    if comm.rank ~= 0
        return
    end
    dropped = worker_transient(series(:, 1).');
    names = {'completion', 'root', 'mean_rank', 'imbalance'};
    for k = 1:4
        facts = sprintf('%s series=%s divisor=1 emulated=no stationary=yes dropped=%d stopped=budget start=barrier', ...
                        head, names{k}, dropped);
        worker_frame(file, item.id, facts, series(dropped + 1:end, k));
    end
end
