function check_private_folder(folder)
    % Refuse a folder that is not ours alone: owned by this user, mode 0700, and no symbolic link.
    % Raises MPI:insecure, MPI:noJob.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        [facts, failed] = lstat(folder);
        if failed ~= 0
            error('MPI:noJob', 'There is no job folder %s: the job has ended.', folder);
        end
        ours = facts.uid == geteuid() && strcmp(facts.modestr(1:10), 'drwx------');
    else
        [status, text] = system(['ls -ldn ', shell_quote(folder), ' && id -u']);
        words = strsplit(strtrim(text));
        ours = status == 0 && strncmp(words{1}, 'drwx------', 10) && strcmp(words{3}, words{end});
    end
    if ~ours
        error('MPI:insecure', ...
              'The folder %s can be written or is owned by others; refused. Set FILEMPI_DIR to a folder of yours.', ...
              folder);
    end
end
