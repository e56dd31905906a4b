function [samples, facts] = worker_sample_cell(comm, plan, item, kernel, clock, check_ns)
    % Rank 0's part in a cell: find how to sample, sample until it is precise enough or the budget is spent, and end it.
    % check_ns: how long the checked operation took. samples.table: ns, a row for each sample after the warm-up, a column for
    % each series; samples.warmup: those of the first series that were dropped. facts: keys of the frame.
    % The decisions are those of every worker: docs/reference/sampling-policy.md.

    one_by_one = strcmp(item.mode, 'single');
    rounds = struct('period_ns', 0, 'slack_ns', 0, 'agreed', false, 'all_late', 0, 'turn', 0, 'late', 0, 'done', 0, ...
                    'limit_ns', 0, 'empty_ns', 0);
    operations = 1;
    sample_ns = check_ns;
    if strcmp(kernel.kind, 'batch')
        [operations, sample_ns, rounds.done] = batch_of(comm, kernel, plan, clock);
        operations = max(1, operations * ~one_by_one);
        sample_ns = sample_ns * operations;
    elseif strcmp(kernel.kind, 'rounds')
        rounds.empty_ns = empty_round();
        rounds.limit_ns = worker_start_limit(rounds.empty_ns, clock.resolution_ns);
        [rounds, sample_ns] = begin_pace(comm, kernel, rounds, plan);
    end
    state = worker_begin_stopping(plan.budget_ns, plan.precision, one_by_one, sample_ns);
    table = zeros(0, numel(kernel.series));
    begun = tic();
    while isempty(state.stopped)
        before = tic();
        [table, rounds] = take_chunk(comm, kernel, table, state.chunk, operations, rounds);
        now_us = tic();
        state = worker_stopping(state, table(:, 1), double(now_us - begun) * 1e3, double(now_us - before) * 1e3);
    end
    MPI_Bcast(0, 9, comm, zeros(1, 6));
    facts = sprintf('mode=%s %s events=%d', mode_of(kernel, item), ...
                    describe(table, state, operations * kernel.events, rounds, kernel), rounds.done * kernel.events);
    samples = struct('table', table(state.dropped + 1:end, :), 'warmup', table(1:state.dropped, 1));
end

function mode = mode_of(kernel, item)
    mode = 'single';
    if strcmp(kernel.kind, 'batch')
        mode = item.mode;
    end
end

function [operations, each_ns, done] = batch_of(comm, kernel, plan, clock)
    still = struct('period_ns', 0, 'slack_ns', 0, 'agreed', false, 'turn', 0, 'limit_ns', 0);
    begun = tic();
    count_trials(0);
    [operations, each_ns] = worker_batch_length(plan.budget_ns, clock, ...
                                                @(count) count_trials(count, comm, kernel, still), ...
                                                @() double(tic() - begun) * 1e3);
    done = count_trials([]);
end

function out = count_trials(count, comm, kernel, still)
    % A batch of so many operations on all ranks: its time in ns. 0 begins; [] gives all operations so far.
    persistent all_done
    out = all_done;
    if isequal(count, 0)
        all_done = 0;
    elseif ~isempty(count)
        all_done = all_done + count;
        out = worker_issue_order(comm, kernel, 1, count, still);
    end
end

function [rounds, each_ns] = begin_pace(comm, kernel, rounds, plan)
    % Ranks that have a core each begin a round at an agreed time; else, and where messages overwrite each other, behind a
    % barrier. The time between rounds comes from a few behind barriers; an interpreter needs more slack than a program.
    first = worker_issue_order(comm, kernel, 4, 1, rounds);
    rounds.turn = 4;
    rounds.done = 4;
    each_ns = median(first(:, 1));
    rounds.agreed = comm.size <= plan.cores && ~strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7);
    rounds.period_ns = ceil(3 * each_ns + 1e5);
    rounds.slack_ns = 1e6 + rounds.period_ns;
    if rounds.agreed
        each_ns = rounds.period_ns;
    end
end

function ns = empty_round()
    % What a round without any operation takes: one reading of the clock.
    stamps = zeros(33, 2);
    for k = 1:size(stamps, 1)
        stamps(k, 1) = double(tic());
        stamps(k, 2) = double(tic());
    end
    ns = mean(stamps(:, 2) - stamps(:, 1)) * 1e3;
end

function [table, rounds] = take_chunk(comm, kernel, table, wanted, operations, rounds)
    count = wanted;
    if strcmp(kernel.kind, 'rounds')
        count = worker_rounds_of(rounds, wanted);
    elseif strcmp(kernel.kind, 'stamped')
        count = min(wanted, 1024);
    end
    gained = worker_issue_order(comm, kernel, count, operations, rounds);
    rounds.turn = rounds.turn + count;
    rounds.done = rounds.done + count * operations;
    reached_late = sum(isnan(gained(:, 1)));
    began_late = sum(isinf(gained(:, 1)));
    rounds.late = rounds.late + reached_late + began_late;
    gained = gained(isfinite(gained(:, 1)), :);
    if strcmp(kernel.kind, 'rounds')
        gained(:, 1:3) = max(0, gained(:, 1:3) - rounds.empty_ns);
    end
    table = [table; gained];
    if strcmp(kernel.kind, 'rounds')
        [rounds, kept] = worker_pace(rounds, count, worker_missed_rounds(count, reached_late, began_late), size(table, 1));
        if ~kept
            table = table([], :);
        end
    end
end

function facts = describe(table, state, divisor, rounds, kernel)
    facts = sprintf('divisor=%d dropped=%d stopped=%s', divisor, state.dropped, state.stopped);
    if state.stationary
        facts = [facts, ' stationary=yes'];
    else
        half = floor(size(table, 1) / 2);
        facts = sprintf('%s stationary=no level_first=%.1f level_last=%.1f', facts, ...
                        median(table(1:half, 1)) / divisor, median(table(half + 1:end, 1)) / divisor);
    end
    if strcmp(kernel.kind, 'rounds')
        words = {'barrier', 'agreed'};
        facts = sprintf('%s start=%s late=%d empty_ns=%d', facts, words{1 + rounds.agreed}, rounds.late, ...
                        round(rounds.empty_ns));
    end
end
