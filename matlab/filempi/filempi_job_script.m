function text = filempi_job_script(job, places)
    % The job as shell assignments, each value quoted: read by the keeper and by each rank's starter.

    [home, start] = filempi_process();
    threads = max(1, floor(job.cores / job.size));
    lines = {
             sprintf('size=%d', job.size)
             sprintf('home=%d', home)
             ['home_start=', filempi_quote(start)]
             sprintf('home_is_rank_zero=%d', job.local(1))
             ['cwd=', filempi_quote(job.cwd)]
             ['toolbox=', filempi_quote(fileparts(mfilename('fullpath')))]
             sprintf('threads=%d', threads)
             sprintf('grace=%d', ceil(job.settings.grace_s * 100))
             ['interpret() { exec ', words(job.settings.interpreter), ' "$1"; }']
             ['remote() { exec ', words(job.settings.remote), ' "$1" "$2"; }']
            };
    for rank = 0:job.size - 1
        lines{end + 1} = sprintf('host_%d=%s', rank, filempi_quote(places(rank + 1).host)); %#ok<AGROW>
    end
    others = unique(job.folders(~strcmp(job.folders, job.folder)));
    lines{end + 1} = sprintf('others=%d', numel(others));
    for k = 1:numel(others)
        lines{end + 1} = sprintf('other_%d=%s', k, filempi_quote(others{k})); %#ok<AGROW>
    end
    text = sprintf('%s\n', lines{:});
end

function text = words(list)
    quoted = cellfun(@filempi_quote, list, 'UniformOutput', false);
    text = strjoin(quoted, ' ');
end
