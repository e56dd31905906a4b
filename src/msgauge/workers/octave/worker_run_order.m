function table = worker_run_order(comm, kernel, order)
    % Carry out an order on this rank, as all ranks do now. order: [count, operations, start, period, turn, limit]
    % (start, period and limit in us; period 0: a barrier before each round; limit: how late a rank may begin).
    % Rank 0 gets a row of ns for each sample and a column for each series; others []. NaN where a rank reached a round late,
    % Inf where all had arrived and one began late.

    table = [];
    count = order(1);
    stamps = zeros(count, 3);
    switch kernel.kind
        case 'batch'
            for k = 1:count
                stamps(k, 1) = double(tic());
                kernel.run(order(2));
                stamps(k, 2) = double(tic());
            end
            if comm.rank == 0
                table = (stamps(:, 2) - stamps(:, 1)) * 1e3;
            end
        case 'rounds'
            for k = 1:count
                stamps(k, 3) = begin_round(comm, order, k);
                stamps(k, 1) = double(tic());
                kernel.run(order(5) + k);
                stamps(k, 2) = double(tic());
                if order(4) > 0 && ~stamps(k, 3) && stamps(k, 1) - agreed_start(order, k) > order(6)
                    stamps(k, 3) = 2;
                end
            end
            all_stamps = MPI_Gather(0, 8, comm, stamps);
            if comm.rank == 0
                table = spans(cat(3, all_stamps{:}));
            end
        otherwise
            values = zeros(count, numel(kernel.series) + 1); % last of all when this rank began, in us
            for k = 1:count
                MPI_Barrier(comm);
                began = double(tic());
                values(k, :) = [kernel.run(1), began];
            end
            all_values = MPI_Gather(0, 8, comm, values);
            if comm.rank == 0
                values = cat(3, all_values{:});
                table = combined(values(:, 1:end - 1, :), kernel.combine);
                table(:, 1) = table(:, 1) + (values(:, end, 1) - min(values(:, end, :), [], 3)) * 1e3;
            end
    end
end

function late = begin_round(comm, order, k)
    late = 0;
    if order(4) == 0
        MPI_Barrier(comm);
        return
    end
    start = agreed_start(order, k);
    late = double(tic() > start);
    while tic() < start
    end
end

function start = agreed_start(order, k)
    start = order(3) + (k - 1) * order(4);
end

function table = spans(stamps)
    begun = stamps(:, 1, :);
    ended = stamps(:, 2, :);
    table = [max(ended, [], 3) - min(begun, [], 3), ended(:, :, 1) - begun(:, :, 1), mean(ended - begun, 3), ...
             max(ended, [], 3) - min(ended, [], 3), max(begun, [], 3) - min(begun, [], 3)] * 1e3;
    table(any(stamps(:, 3, :) == 2, 3), :) = Inf;
    table(any(stamps(:, 3, :) == 1, 3), :) = NaN;
end

function table = combined(values, ways)
    table = zeros(size(values, 1), size(values, 2));
    for k = 1:size(values, 2)
        column = values(:, k, :);
        switch ways{k}
            case 'first'
                table(:, k) = column(:, :, 1);
            case 'sum'
                table(:, k) = sum(column, 3);
            case 'mean'
                table(:, k) = mean(column, 3);
            otherwise
                table(:, k) = max(column, [], 3);
        end
    end
end
