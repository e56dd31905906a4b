function fields = worker_fields(text)
    % The NAME=VALUE words of a line as a struct; a dot in a name becomes an underscore.

    fields = struct();
    words = strsplit(strtrim(text), ' ');
    for k = 1:numel(words)
        [name, value] = strtok(words{k}, '=');
        fields.(strrep(name, '.', '_')) = value(2:end);
    end
end
