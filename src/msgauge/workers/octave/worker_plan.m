function plan = worker_plan(name)
    % Read a plan: plan.cells is a cell of structs (id, kernel, bytes, mode, ranks, seed of the launch, options).
    % Raises msgauge:plan for a text that is no whole plan.

    lines = strsplit(worker_text(name), sprintf('\n'));
    lines = lines(~cellfun('isempty', lines) & ~strncmp(lines, '#', 1));
    if numel(lines) < 2 || ~strcmp(lines{1}, 'msgauge-plan 1') || ~strcmp(lines{end}, 'end')
        error('msgauge:plan', 'The plan %s is of another version or was cut off.', name);
    end
    plan = struct('cells', {{}}, 'budget_ns', 5e7, 'limit_ns', 6e10, 'precision', 0.01, 'check', true, ...
                  'cores', 1, 'pin', []);
    for k = 2:numel(lines) - 1
        [word, rest] = strtok(lines{k}, ' ');
        fields = worker_fields(rest);
        switch word
            case 'limits'
                plan.budget_ns = str2double(fields.cell_budget_ns);
                plan.limit_ns = str2double(fields.launch_limit_ns);
                plan.precision = str2double(fields.cell_precision);
                plan.check = strcmp(fields.check, 'yes');
            case 'cell'
                plan.cells{end + 1} = struct('id', str2double(fields.id), 'kernel', fields.kernel, ...
                                             'bytes', str2double(fields.bytes), 'mode', fields.mode, ...
                                             'cache', fields.cache, 'ranks', str2double(fields.ranks), ...
                                             'options', options_of(fields));
            case 'launch'
                plan.cores = str2double(fields.cores);
                if isfield(fields, 'pin')
                    plan.pin = sscanf(strrep(fields.pin, '%2C', ','), '%d,').';
                end
            case 'clock'
                continue
            otherwise
                error('msgauge:plan', 'The plan has a line that begins with %s.', word);
        end
    end
end

function options = options_of(fields)
    % What was written as opt.NAME=VALUE.
    options = struct();
    names = fieldnames(fields);
    for k = reshape(find(strncmp(names, 'opt_', 4)), 1, [])
        options.(names{k}(5:end)) = fields.(names{k});
    end
end
