function value = unwrap_value(value, folder, used)
    % Undo wrap_values on one received value (recursively). folder: where pieces lie; they are removed after reading
    % when used is true. Raises MPI:damaged when a piece is missing or not the one that was announced.

    if iscell(value)
        for k = 1:numel(value)
            value{k} = unwrap_value(value{k}, folder, used);
        end
    elseif isstruct(value) && numel(value) == 1 && isfield(value, 'filempi_wrapped')
        value = undo(value.filempi_wrapped, value.parts, folder, used);
    elseif isstruct(value)
        value = unpack_fields(value, folder, used);
    end
end

function value = undo(kind, parts, folder, used)
    switch kind
        case 'complex'
            inner = unwrap_value(parts{1}, folder, used);
            value = complex(inner, zeros(size(inner), class(inner)));
            if numel(parts) > 1
                value = complex(inner, unwrap_value(parts{2}, folder, used));
            elseif issparse(inner)
                value = complex(inner, sparse(size(inner, 1), size(inner, 2)));
            end
        case 'char'
            value = char(unwrap_value(parts{1}, folder, used));
        case 'logical'
            value = logical(unwrap_value(parts{1}, folder, used));
        case 'sparse'
            value = sparse(unwrap_value(parts{1}, folder, used), unwrap_value(parts{2}, folder, used), ...
                           unwrap_value(parts{3}, folder, used), parts{4}(1), parts{4}(2));
        case 'pieces'
            value = join(folder, parts{1}, parts{2}, parts{3}, used);
        case 'handle'
            value = restore_handle(parts{1}, unpack_fields(parts{2}, folder, used));
        case 'inline'
            value = inline(parts{1}, parts{2}{:});
        case 'itself'
            value = unpack_fields(parts{1}, folder, used);
        otherwise
            error('MPI:damaged', 'A message holds a wrapped value of an unknown kind.');
    end
end

function value = unpack_fields(value, folder, used)
    fields = fieldnames(value);
    for k = 1:numel(fields)
        for element = 1:numel(value)
            value(element).(fields{k}) = unwrap_value(value(element).(fields{k}), folder, used);
        end
    end
end

function value = join(folder, stem, count, dimensions, used)
    if any(stem == '/')
        error('MPI:damaged', 'A message names a piece outside its folder.');
    end
    place = 0;
    for k = 1:count
        name = sprintf('%s/%s.%d', folder, stem, k);
        piece = read_whole_message(name, -k);
        if k == 1
            value = repmat(piece(1), dimensions);
        end
        value(place + 1:place + numel(piece)) = piece;
        place = place + numel(piece);
        if used
            delete_file(name);
        end
    end
end
