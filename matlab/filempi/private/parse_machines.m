function [places, machines] = parse_machines(machines, count)
    % Where each rank runs: a struct array of host ('' for this machine), folder ('' for the job's own) and machine (its
    % number), ranks dealt out in blocks as the reference does; and the machines: a struct array of name, host, folder,
    % background. A machine is written as host[&][:unix|:pc][:folder]. Raises MPI:badMachines.

    if ~(isnumeric(count) && isscalar(count) && count >= 1 && count == fix(count))
        error('MPI:badMachines', 'The number of ranks must be a whole number of at least 1.');
    end
    if ischar(machines)
        machines = {machines};
    end
    if isempty(machines)
        machines = struct('name', host_name(), 'host', '', 'folder', '', 'background', false);
    else
        machines = cellfun(@one_machine, reshape(machines, 1, []));
    end
    share = floor(count / numel(machines)) + ((1:numel(machines)) <= mod(count, numel(machines)));
    places = repmat(struct('host', '', 'folder', '', 'machine', 1), 1, count);
    last = cumsum(share);
    for rank = 0:count - 1
        k = find(rank < last, 1);
        places(rank + 1) = struct('host', machines(k).host, 'folder', machines(k).folder, 'machine', k);
    end
end

function machine = one_machine(text)
    if ~ischar(text) || isempty(text)
        error('MPI:badMachines', 'A machine is named by text: ''host'', ''host:folder'' or ''host&:unix:folder''.');
    end
    colon = find([text, ':'] == ':', 1);
    host = strrep(text(1:colon - 1), '&', '');
    background = any(text(1:colon - 1) == '&');
    folder = text(colon + 1:end);
    kind = regexp(folder, '^(unix|pc)(?=$|&|:)', 'match', 'once');
    if ~isempty(kind)
        folder = folder(numel(kind) + 1:end);
        background = background || strncmp(folder, '&', 1);
        folder = regexprep(folder, '^&?:?', '');
    end
    if isempty(regexp(host, '^[A-Za-z0-9_][A-Za-z0-9_.@-]*$', 'once'))
        error('MPI:badMachines', 'The machine %s has no valid host name.', text);
    elseif strcmp(kind, 'pc')
        error('MPI:badMachines', ['The machine %s is a PC under Windows: ranks are started by a POSIX shell, so only ', ...
                                  'hosts with one (:unix) can run them.'], text);
    elseif ~isempty(folder) && exist(folder, 'dir') ~= 7
        error('MPI:badMachines', 'The folder of the machine %s is not there; it must be visible to all hosts.', text);
    end
    if ~isempty(folder)
        folder = absolute_path(folder);
    end
    name = host;
    if any(strcmp(host, {'localhost', host_name()}))
        host = '';
    end
    machine = struct('name', name, 'host', host, 'folder', folder, 'background', background);
end
