function [source, tag] = MPI_Status(status)
    % Sender and tag of the message that was last received from any rank. (A status is kept; a communicator is not.)

    persistent kept
    if isfield(status, 'source')
        kept = status;
    end
    source = kept.source;
    tag = kept.tag;
end
