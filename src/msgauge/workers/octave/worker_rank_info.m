function text = worker_rank_info()
    % The keys of series=rank: where this rank may run and runs now, and in which condition its scheduler sees it.

    status = worker_text('/proc/self/status');
    cpus = regexp(status, 'Cpus_allowed_list:\s*(\S+)', 'tokens', 'once');
    facts = worker_text('/proc/self/stat');
    parts = strsplit(facts(find(facts == ')', 1, 'last') + 2:end), ' ');
    files = regexp(worker_text('/proc/self/limits'), 'Max open files\s+(\S+)', 'tokens', 'once');
    text = sprintf('cpus=%s cpu=%s session=%s cgroup=%s open_files=%s policy=%s nice=%s', cpus{1}, parts{37}, parts{4}, ...
                   worker_encode(own_cgroup()), files{1}, parts{39}, parts{17});
end

function name = own_cgroup()
    % The group that the scheduler shares processor time out to: of the cpu controller, else the unified one.
    name = '';
    lines = strsplit(strtrim(worker_text('/proc/self/cgroup')), sprintf('\n'));
    for k = 1:numel(lines)
        [~, rest] = strtok(lines{k}, ':');
        colon = find(rest == ':', 2);
        controllers = rest(2:colon(end) - 1);
        if any(strcmp(strsplit(controllers, ','), 'cpu'))
            name = rest(colon(end) + 1:end);
            return
        elseif isempty(controllers)
            name = rest(colon(end) + 1:end);
        end
    end
end
