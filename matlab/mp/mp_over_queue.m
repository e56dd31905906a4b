function m = mp_over_queue()
    % Messages of one rank to itself, in the order in which they were sent.

    m.send = @(dest, tag, varargin) mp_queue('send', dest, tag, varargin);
    m.recv = @(source, tag) outputs(mp_queue('recv', source, tag));
    m.status = @() mp_queue_status();
    m.probe = @(source, tag) mp_queue_probe(source, tag);
    m.sendrecv = @(dest, stag, source, rtag, varargin) exchange(dest, stag, source, rtag, varargin);
    m.isend = @(dest, tag, varargin) begin_send(dest, tag, varargin);
    m.irecv = @(source, tag) struct('source', source, 'tag', tag);
    m.wait = @(request) finish(request);
    m.test = @(request) tested(request);
end

function varargout = outputs(values)
    if nargout > max(1, numel(values))
        error('MPI:fewerValues', 'The message has %d values, %d are wanted.', numel(values), nargout);
    end
    varargout = values(1:min(numel(values), max(1, nargout)));
end

function varargout = exchange(dest, stag, source, rtag, values)
    mp_queue('send', dest, stag, values);
    [varargout{1:max(nargout, 1)}] = outputs(mp_queue('recv', source, rtag));
end

function request = begin_send(dest, tag, values)
    mp_queue('send', dest, tag, values);
    request = struct('source', [], 'tag', tag);
end

function varargout = finish(request)
    varargout = cell(1, nargout);
    if ~isempty(request.source)
        [varargout{1:max(nargout, 1)}] = outputs(mp_queue('recv', request.source, request.tag));
    end
end

function varargout = tested(request)
    done = isempty(request.source) || ~isempty(mp_queue_probe(request.source, request.tag));
    varargout = [{done}, cell(1, max(0, nargout - 1))];
    if done && ~isempty(request.source)
        [varargout{2:max(nargout, 2)}] = outputs(mp_queue('recv', request.source, request.tag));
    end
end
