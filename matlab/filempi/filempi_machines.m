function places = filempi_machines(machines, count)
    % Where each rank runs: a struct array of host ('' for this machine) and folder ('' for the job's own).
    % Raises MPI:badMachines.

    if ~(isnumeric(count) && isscalar(count) && count >= 1 && count == fix(count))
        error('MPI:badMachines', 'The number of ranks must be a whole number of at least 1.');
    end
    if ischar(machines)
        machines = {machines};
    end
    places = repmat(struct('host', '', 'folder', ''), 1, count);
    for rank = 0:count - 1
        if ~isempty(machines)
            places(rank + 1) = one_place(machines{mod(rank, numel(machines)) + 1});
        end
    end
end

function place = one_place(machine)
    if ~ischar(machine) || isempty(machine)
        error('MPI:badMachines', 'A machine is named by text: ''host'' or ''host:folder''.');
    end
    colon = find([machine, ':'] == ':', 1);
    host = machine(1:colon - 1);
    folder = machine(colon + 1:end);
    if isempty(regexp(host, '^[A-Za-z0-9_][A-Za-z0-9_.@-]*$', 'once'))
        error('MPI:badMachines', 'The machine %s has no valid host name.', machine);
    end
    if ~isempty(folder) && exist(folder, 'dir') ~= 7
        error('MPI:badMachines', 'The folder of the machine %s is not there; it must be visible to all hosts.', machine);
    end
    if ~isempty(folder)
        folder = filempi_absolute(folder);
    end
    if any(strcmp(host, {'localhost', filempi_host()}))
        host = '';
    end
    place = struct('host', host, 'folder', folder);
end
