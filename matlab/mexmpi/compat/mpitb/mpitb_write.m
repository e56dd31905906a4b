function buffer = mpitb_write(buffer, value)
    % A buffer after MPI-TB has written into it: a shorter message fills its beginning, and the rest stays as it was.

    count = numel(value);
    if count == 0
        return
    end
    if count < numel(buffer) && strcmp(class(value), class(buffer)) && ~isstruct(value)
        buffer(1:count) = value;
    else
        buffer = mpitb_fit(buffer, value);
    end
end
