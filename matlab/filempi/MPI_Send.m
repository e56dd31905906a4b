function MPI_Send(dest, tag, comm, varargin)
    % MPI_Send  -  Send values to rank dest; returns at once.
    %
    %   MPI_Send(dest, tag, comm, v1, v2, ...)
    %
    % The values are copied when the call is made: changing them afterwards does not change the message.
    % Messages of one sender to one receiver arrive in the order in which they were sent.
    %
    % Errors: MPI:cannotCarry (a value that a message cannot hold, by name), MPI:writeFailed (full disk).

    % A further real double to the same rank with the same tag: all checks were made for the one before.
    % FILEMPI_OUT: dest, tag, base, stream, link, sequence, bytes until the segment ends (filempi_sync).
    global FILEMPI_OUT
    hot = FILEMPI_OUT;
    if nargin == 4 && hot(1) == dest && hot(2) == tag && hot(3) == comm.base && comm.fast && hot(7) > 64
        value = varargin{1};
        if numel(value) == 1 && isa(value, 'double') && isreal(value) && ~issparse(value)
            words = [1718447209, hot(6) + 1, tag, 1, 0, value, 0, hot(6) + 1];
            if numel(words) == 8
                filempi_append(hot(4), words);
                hot([6, 7]) = [words(2), hot(7) - 64];
                FILEMPI_OUT = hot;
                return
            end
        end
    end
    filempi_post(dest, tag, comm, 0, varargin);
end
