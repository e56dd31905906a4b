function [values, header] = filempi_fetch(name)
    % Primitive: read one message file. Only the two named variables are read, into a struct: nothing in the file can
    % set a variable or run. Raises whatever load raises when the file is not whole.

    persistent octave
    if isempty(octave)
        octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    end
    if octave
        content = load('-v6', name, 'v', 'h');
    else
        content = load(name, '-mat', 'v', 'h');
    end
    values = content.v;
    header = content.h;
end
