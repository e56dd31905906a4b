function words = encode_values(values, most)
    % Small plain arrays as a row of words for the stream, or [] when they belong in a file (no values: also []).
    %
    % Per value: type code, number of dimensions, dimensions, then the elements (real parts, then imaginary parts),
    % each part's bytes padded with zeros to whole words. Type codes: see stream_classes; + 32 for complex.

    words = [];
    parts = cell(1, numel(values));
    total = 0;
    for k = 1:numel(values)
        value = values{k};
        if ~(isnumeric(value) || ischar(value) || islogical(value)) || issparse(value) || isobject(value)
            return
        end
        total = total + words_of(value);
        if total > most
            return
        end
        parts{k} = [type_code(value), ndims(value), size(value), bits(value)];
    end
    words = [parts{:}];
end

function count = words_of(value)
    % At least; a text may need twice as many.
    widths = [8, 4, 1, 1, 2, 2, 4, 4, 8, 8, 1, 1];
    count = ceil(numel(value) * widths(strcmp(class(value), stream_classes())) / 8) * (2 - isreal(value));
end

function code = type_code(value)
    code = find(strcmp(class(value), stream_classes()));
    if ischar(value) && any(value(:) > 255)
        code = 13;
    elseif ~isreal(value)
        code = code + 32;
    end
end

function words = bits(value)
    if isreal(value)
        words = part_bits(value);
    else
        words = [part_bits(real(value)), part_bits(imag(value))];
    end
end

function words = part_bits(value)
    if isa(value, 'double')
        words = full(value(:).');
        return
    end
    if islogical(value) || ischar(value)
        value = uint8_of(value);
    end
    bytes = typecast(value(:).', 'uint8');
    bytes(end + 1:8 * ceil(numel(bytes) / 8)) = 0;
    words = typecast(bytes, 'double');
end

function bytes = uint8_of(value)
    if ischar(value) && any(value(:) > 255)
        bytes = uint16(value);
    else
        bytes = uint8(value);
    end
end
