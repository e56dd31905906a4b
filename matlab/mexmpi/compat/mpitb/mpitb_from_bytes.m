function made = mpitb_from_bytes(bytes, buffer)
    % A buffer that holds these bytes, of the class and shape that it had, where they are as many as it had.

    made = bytes;
    same = numel(bytes) == numel(mpitb_bytes(buffer));
    if ischar(buffer)
        made = char(bytes);
    elseif same
        made = typecast(bytes, class(buffer));
    end
    if same
        made = reshape(made, size(buffer));
    end
end
