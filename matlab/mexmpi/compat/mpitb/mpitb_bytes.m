function bytes = mpitb_bytes(buffer)
    % The bytes of a buffer, of whatever class, as a row.

    if ischar(buffer)
        bytes = uint8(buffer(:).');
    elseif isnumeric(buffer) && isreal(buffer)
        bytes = typecast(full(buffer(:)).', 'uint8');
    else
        error('mpi:badInput', 'a buffer to pack into is text, as blanks(bytes), or a real array, not %s', class(buffer));
    end
    bytes = reshape(bytes, 1, []);
end
