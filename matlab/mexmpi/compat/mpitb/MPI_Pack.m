function [info, buf, pos] = MPI_Pack(var, buf, pos, comm)
    % MPI_Pack  -  as MPI-TB had it: info = MPI_Pack(var, buf, pos, comm).
    %
    % A variable goes with its name into the caller's buffer, text or a real array, behind the first pos
    % bytes, and pos is set behind it. With further outputs, [info, buf, pos], the caller's variables stay as they are, and
    % a buffer without room for it is lengthened. Without them that is MPI_ERR_TRUNCATE, and nothing is written.
    %
    % Example:
    %
    %   x = magic(3); [info, bytes] = MPI_Pack_size(x, MPI_COMM_WORLD); buf = blanks(bytes); pos = 0;
    %   MPI_Pack(x, buf, pos, MPI_COMM_WORLD);
    %   clear x; MPI_Unpack(buf, 0, MPI_COMM_WORLD);   % x is there again

    buffer_name = mpitb_named(2, nargin, nargout < 2);
    if nargout < 2 && isempty(buffer_name)
        error('mpi:badInput', ['MPI_Pack: the buffer is no variable that could be written into. Take it as an output: ', ...
                               '[info, buf, pos] = MPI_Pack(...)']);
    end
    [info, packed] = mpitb_call('MPI_Pack', 1, {mpitb_named(1, nargin, true), var}, zeros(1, 0, 'uint8'), comm);
    if info ~= 0
        return
    end
    bytes = mpitb_bytes(buf);
    next = pos + numel(packed);
    if next > numel(bytes) && nargout < 2
        info = mexmpi_call('MPI_ERR_TRUNCATE');
        return
    end
    bytes(pos + 1:next) = packed;
    buf = mpitb_from_bytes(bytes, buf);
    if ~isempty(buffer_name)
        assignin('caller', buffer_name, buf);
    end
    position_name = mpitb_named(3, nargin, nargout < 3);
    if ~isempty(position_name)
        assignin('caller', position_name, next);
    end
    pos = next;
end
