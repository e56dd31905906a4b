function value = mpitb_fit(buffer, value)
    % What has come, in the shape of the buffer that MPI-TB would have written into, when it has as many elements.

    if isnumeric(value) && isempty(value) && ~isempty(buffer)
        value = buffer;
    elseif numel(value) == numel(buffer) && ~iscell(value) && ~isstruct(value)
        value = reshape(value, size(buffer));
    end
end
