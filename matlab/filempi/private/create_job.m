function job = create_job(program, places, machines, settings)
    % Make a job's private folders and write its description: job (for the ranks), job.sh (for the keeper).

    job.program = program;
    job.size = numel(places);
    job.local = cellfun('isempty', {places.host});
    job.background = machines(1).background;
    job.hosts = {places.host};
    job.machine_id = [places.machine];
    job.machines = machines;
    job.cwd = pwd();
    job.host = host_name();
    job.settings = settings;
    [job.id, job.cores] = job_identity();
    parent = jobs_root(settings, all(job.local));
    job.folder = make_private_folder([parent, '/', job.id]);
    try
        job = fill(job, places);
        job = publish_logs(job);
        write_description(job);
    catch problem
        for k = find(~cellfun('isempty', {places.folder}))
            remove_tree([places(k).folder, '/', job.id]);
        end
        remove_tree(job.folder);
        rethrow(problem);
    end
end

function job = fill(job, places)
    [network, known] = is_network_folder(job.folder);
    job.lists = network || (~all(job.local) && ~known);
    job.folders = cell(1, job.size);
    for rank = 0:job.size - 1
        job.folders{rank + 1} = job.folder;
        if ~isempty(places(rank + 1).folder)
            job.folders{rank + 1} = [places(rank + 1).folder, '/', job.id];
            if exist(job.folders{rank + 1}, 'dir') ~= 7
                make_side_folder(job.folders{rank + 1}, job.folder, job.host);
            end
        end
        make_private_folder(sprintf('%s/in.%d', job.folders{rank + 1}, rank));
    end
    job.streams = any(strcmp(job.settings.transport, {'auto', 'stream'})) && all(job.local) && ~job.lists;
    if strcmp(job.settings.transport, 'stream') && ~job.streams
        error('MPI:badSetting', 'The transport stream needs all ranks on this machine and a local file system.');
    end
    known = {'auto', 'stream', 'file', 'classic', 'classic-spin', 'classic-binary'};
    if ~any(strcmp(job.settings.transport, known))
        error('MPI:badSetting', 'The transport is one of %s.', strjoin(known, ', '));
    end
    job.path = path();
end

function write_description(job)
    save_file([job.folder, '/job'], rmfield(job, 'local'), 0);
    write_text([job.folder, '/job.sh'], job_script(job));
    toolbox = fileparts(mfilename('fullpath'));
    write_text([job.folder, '/keeper.sh'], read_text([toolbox, '/keeper.sh']));
    write_text([job.folder, '/rank.sh'], read_text([toolbox, '/rank.sh']));
    for rank = 0:job.size - 1
        write_text(sprintf('%s/slot.%d', job.folder, rank), sprintf('%-15s\n', 'unknown'));
        write_text(sprintf('%s/words.%d', job.folder, rank), blanks(1000));
    end
end
