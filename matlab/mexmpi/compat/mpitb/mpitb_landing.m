function name = mpitb_landing(request, name)
    % The name of the variable into which a receive that has begun is to write: kept with two arguments, taken with one.

    persistent names
    if isempty(names)
        names = containers.Map('KeyType', 'char', 'ValueType', 'char');
    end
    key = sprintf('%d', request);
    if nargin == 2
        names(key) = name;
    else
        name = '';
        if isKey(names, key)
            name = names(key);
            remove(names, key);
        end
    end
end
