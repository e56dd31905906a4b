function [ranks, tags, texts] = MPI_Probe(source, tag, comm)
    % MPI_Probe  -  The messages that have arrived and wait to be received; does not wait.
    %
    %   [ranks, tags] = MPI_Probe(source, tag, comm)            messages whose tag is a number
    %   [ranks, tags, texts] = MPI_Probe(source, tag, comm)     all; texts: a cell column, each tag as text
    %
    % source and tag may be '*', or a pattern: text with * (any text), ? (any character) or [abc] in it. Columns of equal
    % length, in the order in which each sender sent; empty when there is nothing. tags: NaN for a tag that is no number.
    %
    % Errors: MPI:peerLost (nothing is there, and the rank asked for has failed), MPI:aborted.

    global FILEMPI
    [source, ranks_wanted] = pattern_of(source);
    [tag, tags_wanted] = pattern_of(tag);
    [source, tag] = check_arguments(source, tag, comm, true);
    if FILEMPI.classic
        [ranks, tags] = classic_probe(source, tag, comm);
    else
        [ranks, tags] = waiting_messages(source, tag, comm);
    end
    keys = tags;
    for k = reshape(find(keys < -2^60), 1, [])
        tags(k) = real_or_nan(str2double(tag_text(keys(k))));
    end
    fits = true(numel(ranks), 1);
    if ~isempty(ranks_wanted)
        fits = fits & matches(shown(ranks), ranks_wanted);
    end
    if ~isempty(tags_wanted)
        fits = fits & matches(shown(keys), tags_wanted);
    end
    if nargout == 2
        fits = fits & ~isnan(tags);
    end
    ranks = reshape(ranks(fits), [], 1);
    tags = reshape(tags(fits), [], 1);
    if nargout > 2
        texts = shown(keys(fits));
    end
end

function texts = shown(keys)
    texts = reshape(arrayfun(@shown_tag, keys, 'UniformOutput', false), [], 1);
end

function number = real_or_nan(number)
    if ~isreal(number)
        number = NaN;
    end
end

function [value, wanted] = pattern_of(value)
    % A pattern is looked for among all: value becomes '*', wanted a regular expression ('' for any).
    wanted = '';
    if ischar(value) && ~strcmp(value, '*') && any(value == '*' | value == '?' | value == '[')
        wanted = regexprep(value, '([\\.+^$(){}|])', '\\$1');
        wanted = ['^', strrep(strrep(wanted, '*', '.*'), '?', '.'), '$'];
        value = '*';
    end
end

function fits = matches(texts, wanted)
    fits = reshape(~cellfun('isempty', regexp(texts, wanted, 'once')), [], 1);
end

function [ranks, tags] = waiting_messages(source, tag, comm)
    global FILEMPI
    while poll_source(source, comm)
    end
    places = find_unexpected(source, tag, comm, 0, true);
    saved = zeros(0, 2);
    if comm.save_message_flag ~= 0
        saved = vertcat(zeros(0, 2), FILEMPI.saved(find_saved(source, tag, comm)).key);
    end
    if isempty(places) && isempty(saved)
        throttled_peer_check(source, comm);
        places = find_unexpected(source, tag, comm, 0, true);
    end
    ranks = [saved(:, 1); FILEMPI.keys(places, 1)] - comm.base - 1;
    tags = [saved(:, 2); FILEMPI.keys(places, 2)];
end
