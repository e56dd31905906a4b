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
    request = start(dest, tag, w, values);
    MPI_Request_free(request);
end

function request = start(dest, tag, w, values)
    try
        request = MPI_Isend([values, {0}], double(dest), double(tag), w); % a last element: never an empty cell
    catch problem
        error('MPI:cannotCarry', '%s', regexprep(problem.message, 'value\{(\d+)\}', 'value $1'));
    end
end

function varargout = take(source, tag, n, w)
    mp_check(source, tag, n, true);
    [values, status] = stash('take', source, tag);
    if isempty(status)
        [values, status] = MPI_Recv(plain(source), plain(tag), w);
    end
    keep(status);
    varargout = outputs(values(1:end - 1), nargout);
end

function given = plain(given)
    if ~ischar(given)
        given = full(double(given));
    end
end

function values = outputs(values, wanted)
    if wanted > max(1, numel(values))
        error('MPI:fewerValues', 'The message has %d values, %d are wanted.', numel(values), wanted);
    end
    if wanted == 1 && isempty(values)
        error('MPI:fewerValues', 'The message has no values.');
    end
    values = values(1:min(numel(values), max(1, wanted)));
end

function status = keep(given)
    persistent kept
    if nargin > 0
        kept = given;
    end
    status = kept;
end

function [source, tag] = last_status()
    status = keep();
    source = status.source;
    tag = status.tag;
end

function [ranks, tags] = waiting(source, tag, n, w)
    % MPI tells only of the first message that fits: all that fit are taken hold of, and kept for mp.recv.
    mp_check(source, tag, n, true);
    stash('fill', source, tag, w);
    [ranks, tags] = stash('list', source, tag);
end

function [first, second] = stash(action, source, tag, w)
    % Messages that mp.probe has taken hold of: 'fill', 'list' (ranks and tags), 'take' (values and status, or {}).
    persistent kept
    if isempty(kept)
        kept = struct('source', {}, 'tag', {}, 'values', {}, 'status', {});
    end
    first = {};
    second = [];
    if strcmp(action, 'fill')
        [flag, message] = MPI_Improbe(plain(source), plain(tag), w);
        while flag
            [values, status] = MPI_Mrecv(message);
            kept(end + 1) = struct('source', status.source, 'tag', status.tag, 'values', {values}, 'status', status);
            [flag, message] = MPI_Improbe(plain(source), plain(tag), w);
        end
        return
    end
    fits = true(1, numel(kept));
    if ~ischar(source)
        fits = fits & [kept.source] == plain(source);
    end
    if ~ischar(tag)
        fits = fits & [kept.tag] == plain(tag);
    end
    places = find(fits);
    if strcmp(action, 'list')
        first = reshape([kept(places).source], [], 1);
        second = reshape([kept(places).tag], [], 1);
    elseif ~isempty(places)
        first = kept(places(1)).values;
        second = kept(places(1)).status;
        kept(places(1)) = [];
    end
end

function varargout = exchange(dest, stag, source, rtag, n, w, values)
    put(dest, stag, n, w, values);
    [varargout{1:max(nargout, 1)}] = take(source, rtag, n, w);
end

function request = begin_send(dest, tag, n, w, values)
    mp_check(dest, tag, n, false);
    request = struct('handle', start(dest, tag, w, values), 'receives', false);
end

function request = begin_receive(source, tag, n, w)
    mp_check(source, tag, n, true);
    [values, status] = stash('take', source, tag);
    if isempty(status)
        request = struct('handle', MPI_Irecv(plain(source), plain(tag), w), 'receives', true);
    else
        request = struct('handle', MPI_REQUEST_NULL, 'receives', true, 'values', {values}, 'status', status);
    end
end

function varargout = finish(request)
    [values, status] = MPI_Wait(request.handle);
    if isfield(request, 'status')
        values = request.values;
        status = request.status;
    end
    varargout = cell(1, nargout);
    if request.receives
        keep(status);
        varargout = outputs(values(1:end - 1), nargout);
    end
end

function varargout = tested(request)
    [done, values, status] = MPI_Test(request.handle);
    if isfield(request, 'status')
        values = request.values;
        status = request.status;
    end
    varargout = [{done}, cell(1, max(0, nargout - 1))];
    if done && request.receives
        keep(status);
        varargout = [{done}, outputs(values(1:end - 1), nargout - 1)];
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
