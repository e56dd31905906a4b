function result = reduce(root, value, operation)
    % mp.reduce  -  Values combined on rank root: 'sum' 'prod' 'max' 'min' or a function; elsewhere [].

    result = mp_transport().reduce(root, 0, value, operation);
end
