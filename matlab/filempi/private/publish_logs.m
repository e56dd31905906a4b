function job = publish_logs(job)
    % Give what each rank prints its name in the folder of logs, PROGRAM.RANK.out, while it runs: a link to its log in the
    % job's folder, which the keeper replaces by the text at the end. job.outputs: these names, '' where there is none.
    % Raises MPI:badSetting when FILEMPI_LOGS names a folder that cannot be made.

    job.outputs = repmat({''}, 1, job.size);
    folder = job.settings.logs;
    if strcmp(folder, 'off')
        return
    end
    if strcmp(folder, 'MatMPI')
        folder = own_folder(job);
    elseif exist(folder, 'dir') ~= 7 && ~mkdir(folder)
        error('MPI:badSetting', 'The folder of logs %s (FILEMPI_LOGS) is not there and cannot be made.', folder);
    end
    if isempty(folder)
        return
    end
    [~, name] = fileparts(job.program);
    for old = earlier_outputs(folder, name)
        delete_file([folder, '/', old{1}]);
    end
    for rank = double(job.local(1) && ~job.background):job.size - 1
        output = sprintf('%s/%s.%d.out', absolute_path(folder), name, rank);
        delete_file(output);
        if make_symbolic_link(sprintf('%s/log.%d', job.folder, rank), output)
            job.outputs{rank + 1} = output;
        end
    end
end

function folder = own_folder(job)
    % MatMPI/ in the working folder; '' where it cannot be written, which costs a program nothing but its live logs.
    try
        [~, name] = fileparts(job.program);
        names = arrayfun(@(rank) sprintf('%s.%d.out', name, rank), 0:job.size - 1, 'UniformOutput', false);
        folder = saved_messages_folder(job.cwd, names);
    catch problem
        folder = '';
        warning('MPI:noLogs', 'The ranks'' output is shown at the end only: %s', problem.message);
    end
end

function names = earlier_outputs(folder, name)
    % Outputs of this program in the folder that no running job writes: those that are files.
    names = listed_outputs(folder);
    names = names(~cellfun('isempty', regexp(names, ['^', regexptranslate('escape', name), '\.\d+\.out$'], 'once')));
    for k = numel(names):-1:1
        if is_link([folder, '/', names{k}])
            names(k) = [];
        end
    end
end

function answer = is_link(name)
    answer = false;
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        [~, failed] = readlink(name);
        answer = failed == 0 && file_size(name) >= 0;
    end
end

function made = make_symbolic_link(target, name)
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        made = symlink(target, name) == 0;
    else
        made = system(['ln -s -- ', shell_quote(target), ' ', shell_quote(name)]) == 0;
    end
end
