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
    if ~ischar(tag)
        places = find([waiting.tag] == double(tag));
    end
    switch action
        case 'send'
            waiting(end + 1) = struct('tag', double(tag), 'values', {given});
        case 'probe'
            tags = reshape([waiting(places).tag], [], 1);
        case 'recv'
            if isempty(places)
                error('MPI:timeout', 'The only rank waits for a message that it has not sent.');
            end
            values = waiting(places(1)).values;
            last_tag = waiting(places(1)).tag;
            waiting(places(1)) = [];
    end
end
