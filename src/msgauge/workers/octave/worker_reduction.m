function [row, combine, options, expected] = worker_reduction(item, comm, more)
    % What a reduction kernel works on: this rank's row of the cell's type, the operation, the options (more: those of
    % the kernel beyond type, op and algorithm), and the row that all ranks' rows make together. Raises msgauge:refused.
    % Values are whole numbers so small that no type overflows, so the outcome is the same in any order.

    types = {'int32', 'int64', 'float32', 'float64', 'byte'};
    classes = {'int32', 'int64', 'single', 'double', 'uint8'};
    names = {'sum', 'max', 'min', 'band', 'bor', 'bxor'};
    handles = {'sum', 'max', 'min', @bitand, @bitor, @bitxor};
    options = worker_options(item, [{'type', types, 'op', names, 'algorithm', {'native'}}, more]);
    kind = classes{strcmp(types, options.type)};
    if any(strcmp(kind, {'single', 'double'})) && options.op(1) == 'b'
        error('msgauge:refused', 'bits are combined in whole numbers only, not in %s', options.type);
    end
    width = numel(typecast(zeros(1, 1, kind), 'uint8'));
    if mod(item.bytes, width) ~= 0
        error('msgauge:refused', '%d bytes are no whole number of %s', item.bytes, options.type);
    end
    combine = handles{strcmp(names, options.op)};
    count = item.bytes / width;
    row = row_of(0, count, comm, kind);
    expected = row;
    for rank = 1:comm.size - 1
        expected = combined(combine, expected, row_of(rank, count, comm, kind));
    end
    row = row_of(comm.rank, count, comm, kind);
end

function row = row_of(rank, count, comm, kind)
    row = cast(mod((1:count) * 3 + 5 * rank, max(1, floor(255 / comm.size))), kind);
end

function row = combined(operation, row, other)
    switch operation
        case 'sum'
            row = row + other;
        case 'max'
            row = max(row, other);
        case 'min'
            row = min(row, other);
        otherwise
            row = operation(row, other);
    end
end
