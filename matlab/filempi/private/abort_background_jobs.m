function abort_background_jobs()
    % End the jobs whose outputs stand in MatMPI/ here and that no session waits for, and wait until they are gone.

    outputs = listed_outputs([pwd(), '/MatMPI']);
    folders = {};
    for k = 1:numel(outputs)
        log = link_target([pwd(), '/MatMPI/', outputs{k}]);
        folders{end + 1} = fileparts(log); %#ok<AGROW>
    end
    for folder = unique(folders(~cellfun('isempty', folders)))
        [~, name] = fileparts(folder{1});
        if ~is_job_name({name}) || exist(folder{1}, 'dir') ~= 7
            continue
        end
        check_private_folder(folder{1});
        job = read_message([folder{1}, '/job']);
        if job.background
            abort_job(folder{1}, 0, 'MPI_Abort was called in the folder of the job.');
            wait_until_gone(folder{1}, 10);
        end
    end
end

function target = link_target(name)
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        [target, failed] = readlink(name);
        if failed ~= 0
            target = '';
        end
    else
        [~, target] = system(['readlink -- ', shell_quote(name)]);
        target = strtrim(target);
    end
end
