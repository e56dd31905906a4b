function job = filempi_create_job(program, places, settings)
    % Make a job's private folders and write its description: job (for the ranks), job.sh (for the keeper).

    job.program = program;
    job.size = numel(places);
    job.local = cellfun('isempty', {places.host});
    job.cwd = pwd();
    job.host = filempi_host();
    job.settings = settings;
    [job.id, job.cores] = filempi_identity();
    parent = filempi_parent(settings, all(job.local));
    job.folder = filempi_make_folder([parent, '/', job.id]);
    try
        job = fill(job, places);
    catch problem
        for k = find(~cellfun('isempty', {places.folder}))
            filempi_remove_tree([places(k).folder, '/', job.id]);
        end
        filempi_remove_tree(job.folder);
        rethrow(problem);
    end
end

function job = fill(job, places)
    [network, known] = filempi_network(job.folder);
    job.lists = network || (~all(job.local) && ~known);
    job.folders = cell(1, job.size);
    for rank = 0:job.size - 1
        job.folders{rank + 1} = job.folder;
        if ~isempty(places(rank + 1).folder)
            job.folders{rank + 1} = [places(rank + 1).folder, '/', job.id];
            if exist(job.folders{rank + 1}, 'dir') ~= 7
                filempi_side_folder(job.folders{rank + 1}, job.folder, job.host);
            end
        end
        filempi_make_folder(sprintf('%s/in.%d', job.folders{rank + 1}, rank));
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
    description = rmfield(job, 'local');
    filempi_store([job.folder, '/job'], description, 0);
    filempi_write_text([job.folder, '/job.sh'], filempi_job_script(job, places));
    filempi_write_text([job.folder, '/keeper.sh'], filempi_keeper_script());
    filempi_write_text([job.folder, '/rank.sh'], filempi_rank_script());
    for rank = 0:job.size - 1
        filempi_write_text(sprintf('%s/slot.%d', job.folder, rank), sprintf('%-15s\n', 'unknown'));
        filempi_write_text(sprintf('%s/words.%d', job.folder, rank), blanks(1000));
    end
end
