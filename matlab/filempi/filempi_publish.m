function header = filempi_publish(name, values, header)
    % Write a message file under a temporary name beside its place and rename it: a reader sees all of it or nothing.
    % Gives back the header with word 7 set when values were wrapped.

    [values, header(7)] = filempi_pack(values, name, 'value %d');
    if numel(values) == 1
        values = values{1};
    end
    temporary = [name, '.t'];
    filempi_store(temporary, values, header);
    filempi_move(temporary, name);
end
