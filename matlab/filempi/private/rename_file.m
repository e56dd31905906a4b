function rename_file(from, to)
    % Primitive: rename within one file system, replacing nothing by halves. Raises MPI:writeFailed.

    persistent octave
    if isempty(octave)
        octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    end
    if octave
        [failed, message] = rename(from, to);
        failed = failed ~= 0;
    else
        [done, message] = movefile(from, to, 'f');
        failed = ~done;
    end
    if failed
        error('MPI:writeFailed', 'Cannot rename %s to %s: %s.', from, to, message);
    end
end
