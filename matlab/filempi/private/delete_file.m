function delete_file(name)
    % Primitive: remove a file; one that is gone already is no error.

    persistent octave
    if isempty(octave)
        octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    end
    if octave
        [~, ~] = unlink(name);
    else
        previous = warning('off', 'MATLAB:DELETE:FileNotFound');
        delete(name);
        warning(previous);
    end
end
