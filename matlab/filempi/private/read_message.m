function [values, header] = read_message(name)
    % Primitive: read one message file. Only the two named variables are read, into a struct: nothing in the file can
    % set a variable or run. One real double stands in h itself; it is given back as if it stood in v.
    % Raises whatever load raises when the file is not whole.

    persistent octave
    if isempty(octave)
        octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
    end
    if octave
        content = load('-v6', name, 'v', 'h');
    else
        content = load(name, '-mat', 'v', 'h');
    end
    header = content.h;
    if numel(header) == 8 && header(4) == 1 && ~isfield(content, 'v')
        values = header(6);
        header([4, 6]) = [3, 1];
    else
        values = content.v;
    end
end
