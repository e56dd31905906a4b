function [table, facts, warmup] = worker_lead(comm, plan, item, kernel, clock)
    % Rank 0's part in a cell: find how to sample, sample until it is precise enough or the budget is spent, and end it.
    % table: ns, a row for each sample after the warm-up, a column for each series. facts: keys of the frame.
    % warmup: the samples of the first series that were dropped.
    %
    % It looks only when the number of samples has doubled, and extends the budget three times by half while the warm-up
    % (worker_transient) has not ended in the first half of the samples.

    rounds = struct('period_us', 0, 'turn', 0, 'late', 0, 'doubled', 0, 'agreed', false, 'done', 0);
    operations = 1;
    took_ns = Inf;
    if strcmp(kernel.kind, 'batch')
        [operations, took_ns, rounds.done] = batch_of(comm, kernel, clock);
        operations = max(1, operations * strcmp(item.mode, 'batch'));
    elseif strcmp(kernel.kind, 'rounds')
        [rounds, took_ns] = agree(comm, kernel, rounds, plan);
    end
    table = zeros(0, numel(kernel.series));
    begun = tic();
    budget_ns = plan.budget_ns;
    extended = 0;
    chunk = 1 + 2 * (took_ns < plan.budget_ns);
    stopped = '';
    while isempty(stopped)
        [gained, rounds] = sample(comm, kernel, chunk, operations, rounds, size(table, 1));
        table = [table; gained]; %#ok<AGROW>
        count = size(table, 1);
        spent_ns = double(tic() - begun) * 1e3;
        [dropped, settled] = worker_transient(table(:, 1));
        if settled && count - dropped >= 64 && worker_precision(table(dropped + 1:end, 1)) <= plan.precision
            stopped = 'precision';
        elseif count >= 65536
            stopped = 'count';
        elseif spent_ns >= budget_ns && (count >= 3 || spent_ns > 4 * budget_ns && spent_ns > 2e9 && count >= 1)
            if settled || extended == 3 || count < 20
                stopped = 'budget';
            else
                budget_ns = budget_ns + plan.budget_ns / 2;
                extended = extended + 1;
            end
        end
        each_ns = max(1, spent_ns / max(1, count));
        chunk = max(1, min([max(count, 10), ceil((budget_ns - spent_ns) / each_ns), 1024]));
        if count < 3
            chunk = 1;
        end
    end
    MPI_Bcast(0, 9, comm, zeros(1, 5));
    [table, facts, warmup] = described(table, operations * kernel.events, stopped, rounds);
    facts = sprintf('mode=%s %s events=%d', mode_of(kernel, item), facts, rounds.done * kernel.events);
end

function mode = mode_of(kernel, item)
    mode = 'single';
    if strcmp(kernel.kind, 'batch')
        mode = item.mode;
    end
end

function [operations, took_ns, done] = batch_of(comm, kernel, clock)
    % So many that reading the clock is at most 1 part in 200, and its steps 1 in 20.
    still = struct('period_us', 0, 'turn', 0);
    operations = 1;
    least_ns = max(200 * clock.cost_ns, 20 * clock.resolution_ns);
    took_ns = worker_order(comm, kernel, 1, 1, still);
    done = 1;
    if took_ns < 1e9
        took_ns = min(worker_order(comm, kernel, 2, 1, still));
        done = 3;
    end
    while took_ns < least_ns && operations < 10000
        operations = min(10000, ceil(1.2 * operations * least_ns / max(1000, took_ns)));
        took_ns = min(worker_order(comm, kernel, 2, operations, still));
        done = done + 2 * operations;
    end
end

function [rounds, took_ns] = agree(comm, kernel, rounds, plan)
    % Ranks that have a core each begin a round at an agreed time; else, and where messages overwrite each other, behind a
    % barrier. The time between rounds comes from a few behind barriers.
    first = worker_order(comm, kernel, 4, 1, rounds);
    rounds.turn = 4;
    rounds.done = 4;
    took_ns = median(first(:, 1));
    rounds.agreed = comm.size <= plan.cores && ~strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7);
    if rounds.agreed
        rounds.period_us = ceil(3 * took_ns / 1e3 + 100);
    end
end

function [gained, rounds] = sample(comm, kernel, chunk, operations, rounds, had)
    gained = worker_order(comm, kernel, chunk, operations, rounds);
    rounds.turn = rounds.turn + chunk;
    rounds.done = rounds.done + chunk * operations;
    late = isnan(gained(:, 1));
    rounds.late = rounds.late + sum(late);
    gained = gained(~late, :);
    if sum(late) > 0.05 * chunk && rounds.late > 0.05 * had
        rounds.doubled = rounds.doubled + 1;
        rounds.period_us = 2 * rounds.period_us;
        if rounds.doubled > 4
            rounds.period_us = 0;
        end
    end
end

function [table, facts, warmup] = described(table, divisor, stopped, rounds)
    [dropped, settled] = worker_transient(table(:, 1));
    count = size(table, 1);
    if count < 20
        settled = true;
        dropped = 0;
    end
    facts = sprintf('divisor=%d dropped=%d stopped=%s', divisor, dropped, stopped);
    if settled
        facts = [facts, ' stationary=yes'];
    else
        half = floor(count / 2);
        facts = sprintf('%s stationary=no level_first=%.1f level_last=%.1f', facts, ...
                        median(table(1:half, 1)) / divisor, median(table(half + 1:end, 1)) / divisor);
    end
    if rounds.agreed
        how = 'agreed';
        if rounds.period_us == 0
            how = 'barrier';
        end
        facts = sprintf('%s start=%s late=%d', facts, how, rounds.late);
    elseif size(table, 2) == 4
        facts = [facts, ' start=barrier'];
    end
    warmup = table(1:dropped, 1);
    table = table(dropped + 1:end, :);
end
