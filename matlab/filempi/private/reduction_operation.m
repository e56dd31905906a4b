function combine = reduction_operation(operation)
    % The function of two arrays that a reduction's operation names. Raises MPI:badOperation.

    names = {'sum', 'prod', 'max', 'min', 'and', 'or', '+', '*', '&', '|'};
    handles = {@plus, @times, @max, @min, @and, @or, @plus, @times, @and, @or};
    if isa(operation, 'function_handle')
        combine = operation;
    elseif ischar(operation) && any(strcmp(operation, names))
        combine = handles{find(strcmp(operation, names), 1)};
    else
        error('MPI:badOperation', 'The operation of a reduction is a function of two arrays, or one of: %s.', ...
              strjoin(names, ', '));
    end
end
