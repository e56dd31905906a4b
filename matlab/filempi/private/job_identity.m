function [id, cores] = job_identity()
    % A name for a job that nobody can guess, and the number of cores this machine gives us.

    fid = fopen('/dev/urandom', 'r');
    bytes = fread(fid, [1, 12], 'uint8');
    fclose(fid);
    id = ['filempi-', sprintf('%02x', bytes)];
    cores = allowed_cores();
end

function cores = allowed_cores()
    % Octave's nproc is no help: it gives OMP_NUM_THREADS where that is set.
    listed = regexp(read_text('/proc/self/status'), 'Cpus_allowed_list:\s*(\S+)', 'tokens', 'once');
    if isempty(listed)
        [~, text] = system('getconf _NPROCESSORS_ONLN');
        cores = max([1, sscanf(text, '%d', 1)]);
        return
    end
    cores = 0;
    ranges = strsplit(listed{1}, ',');
    for k = 1:numel(ranges)
        ends = sscanf(ranges{k}, '%d-%d');
        cores = cores + ends(end) - ends(1) + 1;
    end
end
