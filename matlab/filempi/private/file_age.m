function seconds = file_age(name)
    % Seconds since a file or folder was changed, by this machine's clock; 0 when there is none.

    seconds = 0;
    if exist('OCTAVE_VERSION', 'builtin') ~= 0
        [facts, failed] = stat(name);
        if failed == 0
            seconds = time() - facts.mtime;
        end
    else
        entry = dir(name);
        if ~isempty(entry)
            seconds = (now() - entry(1).datenum) * 86400;
        end
    end
end
