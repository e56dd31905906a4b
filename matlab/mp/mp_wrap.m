function [value, changed] = mp_wrap(value)
    % Function handles anywhere in a value as structs of text and captured variables, which MPI can carry (mp_unwrap: back).
    % changed: whether there was one. Raises MPI:cannotCarry for a handle that no other rank can find.

    changed = false;
    if iscell(value)
        for k = 1:numel(value)
            [value{k}, one] = mp_wrap(value{k});
            changed = changed || one;
        end
    elseif isstruct(value)
        fields = fieldnames(value);
        for k = 1:numel(value) * numel(fields)
            element = ceil(k / numel(fields));
            name = fields{k - (element - 1) * numel(fields)};
            [value(element).(name), one] = mp_wrap(value(element).(name));
            changed = changed || one;
        end
        if isfield(value, 'mp_function')
            value = struct('mp_function', 'itself', 'captured', {{value}});
            changed = true;
        end
    elseif isa(value, 'function_handle')
        value = wrap_handle(value);
        changed = true;
    end
end

function wrapped = wrap_handle(handle)
    facts = functions(handle);
    captured = struct();
    if strcmp(facts.type, 'anonymous')
        if isfield(facts, 'workspace') && ~isempty(facts.workspace)
            captured = mp_wrap(facts.workspace{1});
        end
    elseif ~strcmp(facts.type, 'simple')
        error('MPI:cannotCarry', '%s is a handle of a function inside another one, which no other rank can find.', ...
              func2str(handle));
    end
    wrapped = struct('mp_function', func2str(handle), 'captured', {{captured}});
end
