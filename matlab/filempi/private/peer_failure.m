function doomed = peer_failure(source, comm, tolerant, failed)
    % Why a wait for source is in vain: a struct with identifier and message, or []. The caller looks once more for a
    % message before it believes it, because the peer may have sent it just before it ended.
    % tolerant: a peer that failed does not spoil a wait for any rank (MPI_Map goes on with the others). failed: only a
    % peer that failed counts, not one that ended well (left out: false).

    global FILEMPI
    doomed = [];
    failed = nargin > 3 && failed;
    if FILEMPI.size == 1 && failed
        return
    elseif FILEMPI.size == 1
        doomed = reason('MPI:peerLost', 'A rank that is alone waits for a message that it has not sent to itself.');
        return
    end
    if control_file_exists([FILEMPI.folder, '/abort'])
        doomed = reason('MPI:aborted', read_abort_reason());
        return
    end
    if ~control_file_exists([FILEMPI.folder, '/job'])
        doomed = reason('MPI:aborted', 'The folder of the job is gone: it was ended from outside.');
        return
    end
    if ~ischar(source)
        status = read_exit_status(source);
        if source ~= comm.rank && ~isempty(status) && ~(failed && isequal(status, 0))
            doomed = lost(source, status);
        end
        return
    end
    gone = 0;
    for rank = [0:comm.rank - 1, comm.rank + 1:comm.size - 1]
        status = read_exit_status(rank);
        gone = gone + ~isempty(status);
        if ~isempty(status) && ~tolerant && ~isequal(status, 0)
            doomed = lost(rank, status);
            return
        end
    end
    if gone == comm.size - 1 && ~failed
        doomed = reason('MPI:peerLost', 'A message from any rank is awaited, but all other ranks have ended.');
    end
end

function found = lost(rank, status)
    global FILEMPI
    text = sprintf('Rank %d has ended (%s) without sending what is awaited.', rank, ...
                   exit_status_text(status, FILEMPI.hosts{rank + 1}));
    found = reason('MPI:peerLost', text);
end

function found = reason(identifier, message)
    found = struct('identifier', identifier, 'message', message);
end
