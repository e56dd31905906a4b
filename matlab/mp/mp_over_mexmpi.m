function m = mp_over_mexmpi()
    % The operations of mp over MPI. A message is a cell of its values; collectives have a communicator of their own.

    mexmpi_use();
    state = mexmpi_state();
    if ~state.initialized
        MPI_Init();
    end
    w = MPI_Comm_dup(MPI_COMM_WORLD());
    n = MPI_Comm_size(w);
    m.name = 'mexmpi';
    m.rank = MPI_Comm_rank(w);
    m.size = n;
    m.send = @(dest, tag, varargin) put(dest, tag, n, w, varargin);
    m.recv = @(source, tag) take(source, tag, n, w);
    m.status = @() last_status();
    m.probe = @(source, tag) waiting(source, tag, n, w);
    m.sendrecv = @(dest, stag, source, rtag, varargin) exchange(dest, stag, source, rtag, n, w, varargin);
    m.isend = @(dest, tag, varargin) begin_send(dest, tag, n, w, varargin);
    m.irecv = @(source, tag) begin_receive(source, tag, n, w);
    m.wait = @(request) finish(request);
    m.test = @(request) tested(request);
    m.barrier = @() MPI_Barrier(w);
    m.bcast = @(root, tag, varargin) spread(root, w, varargin);
    m.scatter = @(root, tag, values) MPI_Scatter(values, root, w);
    m.gather = @(root, tag, value) collect(root, w, value);
    m.allgather = @(tag, value) unwrap(MPI_Allgather({value, 0}, w), n);
    m.reduce = @(root, tag, value, operation) fold(collect(root, w, value), operation);
    m.allreduce = @(tag, value, operation) fold(unwrap(MPI_Allgather({value, 0}, w), n), operation);
    m.alltoall = @(tag, values) MPI_Alltoall(values, w);
    m.map = @(task, inputs) deal_tasks(task, inputs, w);
    m.abort = @(code) MPI_Abort(code);
    m.finalize = @() finish_all(w);
end

function put(dest, tag, n, w, values)
    mp_check(dest, tag, n, false);
    MPI_Request_free(start(dest, tag, w, values));
end

function request = start(dest, tag, w, values)
    % A message is a cell of its values and a note: its tag if that is text, in a cell if functions among them are wrapped.
    note = tag;
    if ~ischar(tag)
        note = 0;
    end
    try
        request = MPI_Isend([values, {note}], double(dest), wire_tag(tag), w);
    catch problem
        [wrapped, changed] = mp_wrap(values);
        if ~changed
            cannot_carry(problem);
        end
        try
            request = MPI_Isend([wrapped, {{note}}], double(dest), wire_tag(tag), w);
        catch problem
            cannot_carry(problem);
        end
    end
end

function cannot_carry(problem)
    if ~strcmp(problem.identifier, 'mpi:cannotCarry')
        rethrow(problem);
    end
    error('MPI:cannotCarry', '%s', regexprep(problem.message, 'value\{(\d+)\}', 'value $1'));
end

function tag = wire_tag(tag)
    % All messages whose tag is text have one tag of MPI, above those of numbers; the text is in the note.
    if ~ischar(tag)
        tag = full(double(tag));
    elseif ~strcmp(tag, '*')
        tag = 32768;
    end
end

function message = opened(values, status)
    note = values{end};
    values = values(1:end - 1);
    if iscell(note)
        note = note{1};
        values = mp_unwrap(values);
    end
    if ~ischar(note)
        note = status.tag;
    end
    message = struct('source', status.source, 'tag', note, 'values', {values});
end

function varargout = take(source, tag, n, w)
    mp_check(source, tag, n, true);
    message = mailbox('take', source, tag);
    while isempty(message)
        [values, status] = MPI_Recv(plain(source), wire_tag(tag), w);
        message = mailbox('sort', source, tag, opened(values, status), Inf);
    end
    varargout = delivered(message, nargout);
end

function given = plain(given)
    if ~ischar(given)
        given = full(double(given));
    end
end

function values = delivered(message, wanted)
    keep(message);
    values = message.values;
    if wanted > max(1, numel(values)) || (wanted == 1 && isempty(values))
        error('MPI:fewerValues', 'The message has %d values, %d are wanted.', numel(values), wanted);
    end
    values = values(1:min(numel(values), max(1, wanted)));
end

function message = keep(given)
    persistent kept
    if nargin > 0
        kept = given;
    end
    message = kept;
end

function [source, tag] = last_status()
    message = keep();
    source = message.source;
    tag = message.tag;
end

function [ranks, tags] = waiting(source, tag, n, w)
    % MPI tells only of the first message that fits: all that fit are taken hold of, and kept for mp.recv.
    mp_check(source, tag, n, true);
    fetch_all(source, tag, w);
    [~, kept] = mailbox('list', source, tag);
    if strcmp(tag, '*')
        kept = kept(~cellfun(@ischar, {kept.tag}));
    end
    ranks = reshape([kept.source], [], 1);
    tags = NaN(numel(kept), 1);
    for k = 1:numel(kept)
        if ~ischar(kept(k).tag)
            tags(k) = kept(k).tag;
        end
    end
end

function fetch_all(source, tag, w)
    [flag, held] = MPI_Improbe(plain(source), wire_tag(tag), w);
    while flag
        [values, status] = MPI_Mrecv(held);
        mailbox('sort', -1, '', opened(values, status), Inf);
        [flag, held] = MPI_Improbe(plain(source), wire_tag(tag), w);
    end
end

function [message, kept] = mailbox(action, source, tag, given, limit)
    % Messages that came before somebody asked for them, and receives of text tags that were begun.
    %
    %   'take', source, tag                  the first kept message that fits, or []
    %   'list', source, tag                  all that fit (second output)
    %   'post', source, tag                  begin a receive of a text tag: its number
    %   'posted', number                     the message of such a receive (which is then over), or []
    %   'peek', number                       the same, and the receive goes on
    %   'last'                               the number of the receive that was begun last
    %   'sort', source, tag, given, limit    a message goes to the first receive that was begun for it with a number below
    %                                        limit, else it is given back if it fits source and tag, else it is kept
    persistent messages posts last
    if isempty(last)
        messages = struct('source', {}, 'tag', {}, 'values', {});
        posts = struct('number', {}, 'source', {}, 'tag', {}, 'message', {});
        last = 0;
    end
    message = [];
    kept = messages;
    switch action
        case {'take', 'list'}
            kept = messages(arrayfun(@(one) fits(one, source, tag), messages));
            place = find(arrayfun(@(one) fits(one, source, tag), messages), 1);
            if strcmp(action, 'take') && ~isempty(place)
                message = messages(place);
                messages(place) = [];
            end
        case 'post'
            last = last + 1;
            posts(end + 1) = struct('number', last, 'source', source, 'tag', tag, 'message', []);
            message = last;
        case {'posted', 'peek'}
            place = find([posts.number] == source);
            message = posts(place).message;
            if ~isempty(message) && strcmp(action, 'posted')
                posts(place) = [];
            end
        case 'sort'
            open = arrayfun(@(one) isempty(one.message) && one.number <= limit && fits(given, one.source, one.tag), posts);
            place = find(open, 1);
            if ~isempty(place)
                posts(place).message = given;
            elseif fits(given, source, tag)
                message = given;
            else
                messages(end + 1) = given;
            end
        case 'last'
            message = last;
    end
end

function does = fits(message, source, tag)
    does = (ischar(source) || message.source == source) && ...
           (strcmp(tag, '*') || (ischar(tag) && strcmp(message.tag, tag)) || ...
            (~ischar(tag) && ~ischar(message.tag) && message.tag == tag));
end

function varargout = exchange(dest, stag, source, rtag, n, w, values)
    put(dest, stag, n, w, values);
    [varargout{1:max(nargout, 1)}] = take(source, rtag, n, w);
end

function request = begin_send(dest, tag, n, w, values)
    mp_check(dest, tag, n, false);
    request = struct('kind', 'send', 'handle', start(dest, tag, w, values));
end

function request = begin_receive(source, tag, n, w)
    mp_check(source, tag, n, true);
    message = mailbox('take', source, tag);
    request = struct('kind', 'kept', 'handle', MPI_REQUEST_NULL, 'source', plain(source), 'tag', plain(tag), ...
                     'number', mailbox('last'), 'message', message, 'comm', w);
    if isempty(message) && ischar(tag) && ~strcmp(tag, '*')
        request.kind = 'text';
        request.number = mailbox('post', request.source, tag);
    elseif isempty(message)
        request.kind = 'receive';
        request.handle = MPI_Irecv(request.source, request.tag, w);
    end
end

function varargout = finish(request)
    varargout = cell(1, nargout);
    switch request.kind
        case 'send'
            MPI_Wait(request.handle);
            return
        case 'kept'
            message = request.message;
        case 'text'
            message = mailbox('posted', request.number);
            while isempty(message)
                [values, status] = MPI_Recv(request.source, wire_tag(request.tag), request.comm);
                mailbox('sort', -1, '', opened(values, status), Inf);
                message = mailbox('posted', request.number);
            end
        case 'receive'
            message = [];
            while isempty(message)
                [values, status] = MPI_Wait(request.handle);
                message = mailbox('sort', request.source, request.tag, opened(values, status), request.number);
                if isempty(message)
                    request.handle = MPI_Irecv(request.source, request.tag, request.comm);
                end
            end
    end
    varargout = delivered(message, nargout);
end

function varargout = tested(request)
    switch request.kind
        case {'send', 'receive'}
            done = MPI_Request_get_status(request.handle);
        case 'kept'
            done = true;
        case 'text'
            fetch_all(request.source, request.tag, request.comm);
            done = ~isempty(mailbox('peek', request.number));
    end
    varargout = [{done}, cell(1, max(0, nargout - 1))];
    if done
        [varargout{2:nargout}] = finish(request);
    end
end

function varargout = spread(root, w, values)
    values = MPI_Bcast([values, {0}], double(root), w);
    varargout = values(1:max(1, nargout));
end

function values = collect(root, w, value)
    values = MPI_Gather({value, 0}, double(root), w);
    if isempty(values)
        values = {};
    else
        values = cellfun(@(pair) pair{1}, values, 'UniformOutput', false);
    end
end

function values = unwrap(pairs, n)
    values = cell(1, n);
    for k = 1:n
        values{k} = pairs{k}{1};
    end
end

function result = fold(values, operation)
    result = [];
    names = {'sum', 'prod', 'max', 'min'};
    functions = {@plus, @times, @max, @min};
    if ischar(operation)
        operation = functions{strcmp(operation, names)};
    end
    for k = 1:numel(values)
        if k == 1
            result = values{1};
        else
            result = operation(result, values{k});
        end
    end
end

function results = deal_tasks(task, inputs, w)
    rank = MPI_Comm_rank(w);
    n = MPI_Comm_size(w);
    mine = cellfun(task, inputs(rank + 1:n:end), 'UniformOutput', false);
    parts = collect(0, w, mine);
    results = cell(0);
    if rank == 0
        results = cell(size(inputs));
        for k = 1:n
            results(k:n:end) = parts{k};
        end
    end
end

function finish_all(w)
    MPI_Barrier(w);
    MPI_Comm_free(w);
    MPI_Finalize();
end
