function m = mp_over_serial()
    % The operations of mp on one rank without any other: messages to itself wait in a list.

    m = mp_over_queue();
    m.name = 'serial';
    m.rank = 0;
    m.size = 1;
    m.barrier = @() [];
    m.bcast = @(root, tag, varargin) deal_out(root, varargin);
    m.scatter = @(root, tag, values) only(root, values{1});
    m.gather = @(root, tag, value) only(root, {value});
    m.allgather = @(tag, value) {value};
    m.reduce = @(root, tag, value, operation) only(root, value);
    m.allreduce = @(tag, value, operation) value;
    m.alltoall = @(tag, values) values;
    m.map = @(task, inputs) cellfun(task, inputs, 'UniformOutput', false);
    m.abort = @(code) exit(code);
    m.finalize = @() [];
end

function varargout = deal_out(root, values)
    only(root, []);
    varargout = values(1:nargout);
end

function value = only(root, value)
    if ~isequal(double(root), 0)
        error('MPI:badRank', 'The only rank is 0.');
    end
end
