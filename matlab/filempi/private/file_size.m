function bytes = file_size(name)
    % Primitive: size of a file in bytes, -1 when there is none.

    persistent octave
    if isempty(octave)
        octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    end
    bytes = -1;
    if octave
        [facts, failed] = stat(name);
        if failed == 0
            bytes = facts.size;
        end
    else
        entry = dir(name);
        if numel(entry) == 1
            bytes = entry.bytes;
        end
    end
end
