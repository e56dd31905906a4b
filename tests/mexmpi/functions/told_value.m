function text = told_value(x)
    % What a value is, as a text that shares no memory with it: two equal texts, two equal values.

    head = sprintf('%s %s', class(x), mat2str(size(x)));
    if iscell(x)
        parts = cellfun(@told_value, x(:)', 'UniformOutput', false);
    elseif isstruct(x)
        parts = [fieldnames(x)', cellfun(@told_value, reshape(struct2cell(x), 1, []), 'UniformOutput', false)];
    elseif issparse(x)
        [rows, columns, elements] = find(x);
        parts = {'sparse', told_value(rows), told_value(columns), told_value(full(elements))};
    elseif isnumeric(x) || ischar(x) || islogical(x)
        parts = {told_elements(x)};
    else
        parts = {disp(x)}; % a function handle
    end
    text = strjoin([{head}, parts], ' ');
end

function text = told_elements(x)
    if iscomplex(x)
        text = [told_elements(real(x)), 'i', told_elements(imag(x))];
    elseif isfloat(x) || isinteger(x)
        text = hash('md5', char(typecast(x(:)', 'uint8')));
    else
        text = hash('md5', char(uint8(x(:)')));
    end
end
