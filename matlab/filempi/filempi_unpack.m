function value = filempi_unpack(value, folder, used)
    % Undo filempi_pack on one received value (recursively). folder: where pieces lie; they are removed after reading
    % when used is true. Raises MPI:damaged when a piece is missing or not the one that was announced.

    if iscell(value)
        for k = 1:numel(value)
            value{k} = filempi_unpack(value{k}, folder, used);
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
            inner = filempi_unpack(parts{1}, folder, used);
            value = complex(inner, zeros(size(inner), class(inner)));
            if numel(parts) > 1
                value = complex(inner, filempi_unpack(parts{2}, folder, used));
            elseif issparse(inner)
                value = complex(inner, sparse(size(inner, 1), size(inner, 2)));
            end
        case 'char'
            value = char(filempi_unpack(parts{1}, folder, used));
        case 'logical'
            value = logical(filempi_unpack(parts{1}, folder, used));
        case 'sparse'
            value = sparse(filempi_unpack(parts{1}, folder, used), filempi_unpack(parts{2}, folder, used), ...
                           filempi_unpack(parts{3}, folder, used), parts{4}(1), parts{4}(2));
        case 'pieces'
            value = join(folder, parts{1}, parts{2}, parts{3}, used);
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
            value(element).(fields{k}) = filempi_unpack(value(element).(fields{k}), folder, used);
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
        piece = filempi_fetch_whole(name, -k);
        if k == 1
            value = repmat(piece(1), dimensions);
        end
        value(place + 1:place + numel(piece)) = piece;
        place = place + numel(piece);
        if used
            filempi_drop(name);
        end
    end
end
