function values = decode_values(words, count)
    % Undo encode_values: count values from a row of words. Raises MPI:damaged when the words do not add up.

    classes = stream_classes();
    values = cell(1, count);
    place = 1;
    for k = 1:count
        code = words(place);
        dimensions = words(place + 2:place + 1 + words(place + 1));
        place = place + 2 + words(place + 1);
        parts = 1 + (code > 32);
        name = classes{min(code - 32 * (code > 32), 12)};
        [value, place] = one_part(words, place, name, prod(dimensions), code == 13);
        if parts == 2
            [imaginary, place] = one_part(words, place, name, prod(dimensions), false);
            values{k} = complex(reshape(value, dimensions), reshape(imaginary, dimensions));
        else
            values{k} = reshape(value, dimensions);
        end
    end
    if place ~= numel(words)
        error('MPI:damaged', 'A frame of a stream does not hold the values that it announces.');
    end
end

function [value, place] = one_part(words, place, name, count, wide)
    if strcmp(name, 'double')
        value = words(place:place + count - 1);
        place = place + count;
        return
    end
    stored = name;
    if strcmp(name, 'logical') || strcmp(name, 'char')
        stored = 'uint8';
        if wide
            stored = 'uint16';
        end
    end
    per_element = numel(typecast(zeros(1, 1, stored), 'uint8'));
    used = ceil(count * per_element / 8);
    bytes = typecast(words(place:place + used - 1), 'uint8');
    place = place + used;
    value = typecast(bytes(1:count * per_element), stored);
    if strcmp(name, 'logical')
        value = logical(value);
    elseif strcmp(name, 'char')
        value = char(value);
    end
end
