function result = MPI_Reduce(root, tag, comm, value, operation)
    % MPI_Reduce  -  Combine one array of each rank, element by element, on root.
    %
    %   result = MPI_Reduce(root, tag, comm, value, operation)      [] on the other ranks
    %
    % operation: 'sum' (also when left out), 'prod', 'max', 'min', 'and', 'or', or a handle f(a, b) that is associative.
    % Values are combined in the order of ranks, along a binomial tree: the same on every run.
    %
    % Errors: MPI:badOperation.

    if nargin < 5
        operation = 'sum';
    end
    [root, tag] = check_arguments(root, tag, comm, false);
    combine = reduction_operation(operation);
    if comm.size == 1 && ischar(operation)
        value = of_one(value, operation, combine);
    end
    step = 1;
    sent = false;
    while step < comm.size && ~sent
        if mod(comm.rank, 2 * step) == step
            send_message(comm.rank - step, tag, comm, 5, {value});
            sent = true;
        elseif comm.rank + step < comm.size
            got = receive_message(comm.rank + step, tag, comm, 5, []);
            value = combine(value, got{1});
        end
        step = 2 * step;
    end
    result = to_root(root, tag, comm, value);
end

function result = to_root(root, tag, comm, value)
    result = [];
    if comm.rank == 0 && root ~= 0
        send_message(root, tag, comm, 5, {value});
    elseif comm.rank == root
        result = value;
        if root ~= 0
            got = receive_message(0, tag, comm, 5, []);
            result = got{1};
        end
    end
end

function value = of_one(value, operation, combine)
    % Of the class that combining several gives.
    if ~any(strcmp(operation, {'sum', 'prod', '+', '*'}))
        value = combine(value, value);
    elseif islogical(value) || ischar(value)
        value = double(value);
    end
end
