function [note, wrapped] = write_chunks(value, name)
    % Write an array that is larger than a piece in pieces, to name.1, name.2, ..., and give back the note that stands for
    % it in the message (unwrap_value reads it); a smaller array comes back unchanged, with wrapped 0.

    global FILEMPI
    note = value;
    wrapped = 0;
    if isempty(name)
        return
    end
    if issparse(value)
        if 16 * nnz(value) > FILEMPI.piece_bytes
            note = split_sparse(value, name);
            wrapped = 1;
        end
        return
    end
    per_element = 8 * (1 + ~isreal(value));
    if numel(value) * per_element > FILEMPI.piece_bytes
        note = split_full(value, name, max(1, floor(FILEMPI.piece_bytes / per_element)));
        wrapped = 1;
    end
end

function note = split_sparse(value, name)
    [rows, columns, entries] = find(value);
    parts = {rows(:), columns(:), entries(:)};
    for k = 1:3
        parts{k} = write_chunks(parts{k}, sprintf('%s.%d', name, k));
    end
    note = struct('filempi_wrapped', 'sparse', 'parts', {[parts, {size(value)}]});
end

function note = split_full(value, name, length)
    count = ceil(numel(value) / length);
    for k = 1:count
        piece = value((k - 1) * length + 1:min(k * length, numel(value)));
        save_file(sprintf('%s.%d', name, k), piece(:), k);
    end
    [~, stem, ending] = fileparts(name);
    note = struct('filempi_wrapped', 'pieces', 'parts', {{[stem, ending], count, size(value)}});
end
