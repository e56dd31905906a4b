function check_receiver(link)
    % Asked by senders now and then: whether the job was aborted or the rank that a link leads to has failed, so that what
    % nobody will read does not fill the disk. Raises MPI:aborted, MPI:peerLost.

    global FILEMPI
    rank = mod(link - 1, FILEMPI.size);
    if control_file_exists([FILEMPI.folder, '/abort'])
        error('MPI:aborted', '%s', read_abort_reason());
    end
    status = read_exit_status(rank);
    if ~isempty(status) && ~isequal(status, 0)
        error('MPI:peerLost', 'Rank %d has ended (%s): nothing can be sent to it.', rank, ...
              exit_status_text(status, FILEMPI.hosts{rank + 1}));
    end
end
