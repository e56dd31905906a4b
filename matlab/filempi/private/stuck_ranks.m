function stuck = stuck_ranks(states)
    % The ranks that can never go on, as a row: the largest set of waiting ranks whose possible senders are all in the set
    % and have sent nothing that is not taken in. states: by rank the text of publish_wait, '' for a rank that runs, 'ended'.

    count = numel(states);
    ended = strcmp(states, 'ended');
    facts = cell(1, count);
    waiting = false(1, count);
    for k = find(~ended & ~cellfun('isempty', states))
        facts{k} = parse(states{k}, count);
        waiting(k) = ~isempty(facts{k});
    end
    changed = true;
    while changed
        changed = false;
        for k = find(waiting)
            if may_go_on(k, facts, waiting, ended)
                waiting(k) = false;
                changed = true;
            end
        end
    end
    stuck = find(waiting) - 1;
end

function possible = may_go_on(k, facts, waiting, ended)
    if facts{k}.source < 0
        senders = setdiff(find(~ended), k);
    else
        senders = facts{k}.source + 1;
    end
    possible = any(ended(senders)); % that is an error of another kind
    for s = setdiff(senders, k)
        possible = possible || ~waiting(s) || facts{k}.received(s) ~= sent_to(facts{s}, k, facts{k}.channel);
    end
end

function number = sent_to(fact, k, channel)
    number = 0;
    row = find(fact.sent(:, 1) == channel, 1);
    if ~isempty(row)
        number = fact.sent(row, k + 1);
    end
end

function fact = parse(text, count)
    % [] for what is not whole.
    fact = [];
    lines = strsplit(text, sprintf('\n'));
    if numel(lines) < 4
        return
    end
    first = sscanf(lines{1}, '%f').';
    received = sscanf(lines{2}, '%f').';
    sent = zeros(0, count + 1);
    for k = 3:numel(lines) - 1
        row = sscanf(lines{k}, '%f').';
        if numel(row) ~= count + 1
            return
        end
        sent(end + 1, :) = row; %#ok<AGROW>
    end
    if numel(first) == 3 && numel(received) == count
        fact = struct('source', first(2), 'channel', first(3), 'received', received, 'sent', sent);
    end
end
