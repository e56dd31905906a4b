function folder = make_private_folder(folder)
    % Make a new folder of mode 0700. Raises MPI:insecure when there is something of that name already.

    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        previous = umask(77);
        [done, message] = mkdir(folder);
        umask(previous);
        done = done && isempty(message);
    else
        [status, message] = system(['mkdir -m 700 -- ', shell_quote(folder)]);
        done = status == 0;
    end
    if ~done
        error('MPI:writeFailed', 'Cannot make the folder %s: %s.', folder, message);
    end
    check_private_folder(folder);
end
