function held_values(name, values)
    % Keep the arrays of a call, which share their memory with the caller's variables. At a barrier, with which each example
    % ends, all that were kept must be as they were, also when an operation that was begun has gone on since.

    persistent kept
    if isempty(kept)
        kept = struct('name', {}, 'value', {}, 'told', {});
    end
    for k = 1:numel(values)
        if numel(values{k}) > 0 && ~isstruct(values{k})
            kept(end + 1) = struct('name', name, 'value', {values(k)}, 'told', told_value(values{k}));
        end
    end
    if strcmp(name, 'MPI_Barrier')
        for k = 1:numel(kept)
            if ~strcmp(told_value(kept(k).value{1}), kept(k).told)
                error('mexmpi:changed', 'an array of %s has changed since', kept(k).name);
            end
        end
        kept = kept([]);
    end
end
