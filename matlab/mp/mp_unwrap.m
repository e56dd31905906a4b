function value = mp_unwrap(value)
    % Undo mp_wrap: structs that stand for functions become function handles again.

    if iscell(value)
        value = cellfun(@mp_unwrap, value, 'UniformOutput', false);
    elseif isstruct(value) && isfield(value, 'mp_function')
        if strcmp(value.mp_function, 'itself')
            value = unwrap_fields(value.captured{1});
        else
            value = mp_function_of(value.mp_function, unwrap_fields(value.captured{1}));
        end
    elseif isstruct(value)
        value = unwrap_fields(value);
    end
end

function value = unwrap_fields(value)
    fields = fieldnames(value);
    for k = 1:numel(fields)
        for element = 1:numel(value)
            value(element).(fields{k}) = mp_unwrap(value(element).(fields{k}));
        end
    end
end
