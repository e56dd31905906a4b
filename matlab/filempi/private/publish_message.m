function header = publish_message(name, values, header)
    % Write a message file under a temporary name beside its place and rename it: a reader sees all of it or nothing.
    % Gives back the header with word 7 set when values were wrapped.

    [values, header(7)] = wrap_values(values, name, 'value %d');
    if numel(values) == 1
        values = values{1};
    end
    temporary = [name, '.t'];
    save_file(temporary, values, header);
    rename_file(temporary, name);
end
