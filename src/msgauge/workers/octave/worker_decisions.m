function worker_decisions(name)
    % Print the decisions on a test vector (tests/vectors/sampling), one a line, as every worker takes them.

    vector = read_vector(name);
    if isfield(vector, 'trial_factors')
        decide_length(vector);
    elseif isfield(vector, 'stamps')
        decide_clock(vector);
    elseif isfield(vector, 'began_late')
        decide_appointments(vector);
    else
        decide_samples(vector);
    end
end

function vector = read_vector(name)
    vector = struct('period_ns', 0, 'slack_ns', 0);
    lines = strsplit(fileread(name), sprintf('\n'));
    for k = 1:numel(lines)
        [key, rest] = strtok(lines{k}, ' ');
        if ~isempty(key) && key(1) ~= '#'
            numbers = sscanf(rest, '%f').';
            vector.(key) = numbers;
            if isempty(numbers)
                vector.(key) = strtrim(rest);
            end
        end
    end
end

function decide_length(vector)
    trials(0);
    timer = struct('cost_ns', vector.cost_ns, 'resolution_ns', vector.resolution_ns);
    operations = worker_batch_length(vector.budget_ns, timer, @(count) trials(1, vector, count), @() trials(2));
    printf('trials %d\noperations %d\n', trials(3), operations);
end

function decide_clock(vector)
    [cost, step] = worker_clock_facts(reshape(vector.stamps, vector.readings, []));
    printf('cost_thousandths %d\nstep %d\n', floor(1000 * cost + 0.5), step);
end

function decide_appointments(vector)
    printf('start_limit_ns %d\n', worker_start_limit(vector.empty_ns, vector.resolution_ns));
    for k = 1:numel(vector.order_rounds)
        printf('missed %d\n', worker_missed_rounds(vector.order_rounds(k), vector.reached_late(k), vector.began_late(k)));
    end
end

function out = trials(what, vector, operations)
    % 0: begin; 1: the time of a trial of so many operations; 2: the time of all so far; 3: their number.
    persistent times
    if what == 0
        times = [];
        out = 0;
    elseif what == 1
        factor = vector.trial_factors(mod(numel(times), numel(vector.trial_factors)) + 1);
        out = vector.operation_ns * operations * factor;
        times(end + 1) = out;
    elseif what == 2
        out = sum(times);
    else
        out = numel(times);
    end
end

function decide_samples(vector)
    state = worker_begin_stopping(vector.budget_ns, vector.precision, strcmp(vector.mode, 'single'), vector.sample_ns);
    source = struct('taken', 0, 'late', 0, 'values', zeros(1, 0), 'pace', ...
                    struct('period_ns', vector.period_ns, 'slack_ns', vector.slack_ns, 'agreed', true, 'all_late', 0));
    while isempty(state.stopped)
        printf('chunk %d\n', state.chunk);
        before = source.taken;
        source = take(vector, source, state.chunk);
        taken = source.taken;
        state = worker_stopping(state, source.values, taken * vector.sample_ns, (taken - before) * vector.sample_ns);
    end
    words = {'no', 'yes'};
    precision = worker_precision(source.values(state.dropped + 1:end));
    printf('stopped %s\nsamples %d\nlate %d\ndropped %d\nstationary %s\nprecision_ppm %d\n', state.stopped, ...
           numel(source.values), source.late, state.dropped, words{1 + state.stationary}, ppm(precision));
end

function whole = ppm(precision)
    whole = -1;
    if isfinite(precision)
        whole = floor(precision * 1e6 + 0.5);
    end
end

function source = take(vector, source, wanted)
    % An order of rounds or a chunk of samples; a value below 0 is a round that came late.
    count = wanted;
    if strcmp(vector.kind, 'rounds')
        count = worker_rounds_of(source.pace, wanted);
    end
    got = vector.values(mod(source.taken + (0:count - 1), numel(vector.values)) + 1);
    good = got >= 0 | ~source.pace.agreed;
    source.taken = source.taken + count;
    source.late = source.late + sum(~good);
    source.values = [source.values, abs(got(good))];
    if strcmp(vector.kind, 'rounds')
        [source.pace, kept] = worker_pace(source.pace, count, sum(~good), numel(source.values));
        if ~kept
            source.values = zeros(1, 0);
        end
        words = {'barrier', 'agreed'};
        printf('pace %d %d %s\n', source.pace.period_ns, source.pace.slack_ns, words{1 + source.pace.agreed});
    end
end
