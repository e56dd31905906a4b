function [values, tags] = mp_queue(action, rank, tag, given)
    % The messages of the only rank: 'send' one, 'recv' the first that fits, 'probe' the tags that wait, 'last' tag received.

    persistent waiting last_tag
    if isempty(waiting)
        waiting = struct('tag', {}, 'values', {});
    end
    values = {};
    tags = last_tag;
    if strcmp(action, 'last')
        return
    end
    mp_check(rank, tag, 1, ~strcmp(action, 'send'));
    places = 1:numel(waiting);
    if ~strcmp(tag, '*')
        places = find(cellfun(@(one) ischar(one) == ischar(tag) && isequal(one, full(tag)), {waiting.tag}));
    end
    switch action
        case 'send'
            if ~ischar(tag)
                tag = full(double(tag));
            end
            waiting(end + 1) = struct('tag', tag, 'values', {given});
        case 'probe'
            tags = NaN(numel(places), 1);
            for k = 1:numel(places)
                if ~ischar(waiting(places(k)).tag)
                    tags(k) = waiting(places(k)).tag;
                end
            end
        case 'recv'
            if isempty(places)
                error('MPI:timeout', 'The only rank waits for a message that it has not sent.');
            end
            values = waiting(places(1)).values;
            last_tag = waiting(places(1)).tag;
            waiting(places(1)) = [];
    end
end
