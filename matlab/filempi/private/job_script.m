function text = job_script(job)
    % The job as shell assignments, each value quoted: read by the keeper and by each rank's starter.

    [home, start] = process_identity();
    threads = max(1, floor(job.cores / job.size));
    lines = {
             sprintf('size=%d', job.size)
             sprintf('home=%d', home)
             ['home_start=', shell_quote(start)]
             sprintf('home_is_rank_zero=%d', job.local(1) && ~job.background)
             sprintf('background=%d', job.background)
             ['cwd=', shell_quote(job.cwd)]
             ['toolbox=', shell_quote(fileparts(fileparts(mfilename('fullpath'))))]
             sprintf('threads=%d', threads)
             sprintf('grace=%d', ceil(job.settings.grace_s * 100))
             ['interpret() { exec ', words(job.settings.interpreter), ' "$1"; }']
             ['remote() { exec ', words(job.settings.remote), ' "$1" "$2"; }']
            };
    for rank = 0:job.size - 1
        lines{end + 1} = sprintf('host_%d=%s', rank, shell_quote(job.hosts{rank + 1})); %#ok<AGROW>
        lines{end + 1} = sprintf('out_%d=%s', rank, shell_quote(job.outputs{rank + 1})); %#ok<AGROW>
    end
    others = unique(job.folders(~strcmp(job.folders, job.folder)));
    lines{end + 1} = sprintf('others=%d', numel(others));
    for k = 1:numel(others)
        lines{end + 1} = sprintf('other_%d=%s', k, shell_quote(others{k})); %#ok<AGROW>
    end
    text = sprintf('%s\n', lines{:});
end

function text = words(list)
    quoted = cellfun(@shell_quote, list, 'UniformOutput', false);
    text = strjoin(quoted, ' ');
end
