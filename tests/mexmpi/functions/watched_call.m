function watched_call(name, places, arguments, before, after)
    % Compare the variables of the caller of an MPI function before and after it, and say so when it has been given an array.

    persistent said
    if isempty(said)
        said = {};
    end
    for k = 1:size(before, 2)
        place = find(strcmp(before{1, k}, after(1, :)));
        if isempty(place) || ~strcmp(before{2, k}, after{2, place})
            error('mexmpi:changed', '%s has changed the variable %s', name, before{1, k});
        end
    end
    given = arguments(places(places <= numel(arguments)));
    if any(~cellfun(@isempty, given)) && ~any(strcmp(said, name))
        said{end + 1} = name;
        fputs(stdout, sprintf('watched %s\n', name));
    end
end
