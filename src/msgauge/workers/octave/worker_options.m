function options = worker_options(item, known)
    % The options of a cell as a struct. known: a cell row of name, choices, name, choices, ...; the first choice is the
    % default. Raises msgauge:refused for a name or value that is not among them.

    options = struct();
    for k = 1:2:numel(known)
        options.(known{k}) = known{k + 1}{1};
    end
    given = fieldnames(item.options);
    for k = 1:numel(given)
        value = item.options.(given{k});
        place = find(strcmp(known(1:2:end), given{k}), 1);
        if isempty(place) || ~any(strcmp(known{2 * place}, value))
            error('msgauge:refused', 'the Octave worker has no %s=%s for this kernel', given{k}, value);
        end
        options.(given{k}) = value;
    end
end
