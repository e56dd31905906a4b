function filempi_heed(link)
    % Asked by senders now and then: whether the job was aborted or the rank that a link leads to has failed, so that what
    % nobody will read does not fill the disk. Raises MPI:aborted, MPI:peerLost.

    global FILEMPI
    rank = mod(link - 1, FILEMPI.size);
    if filempi_exists_here([FILEMPI.folder, '/abort'])
        error('MPI:aborted', '%s', filempi_abort_text());
    end
    status = filempi_exit_status(rank);
    if ~isempty(status) && ~isequal(status, 0)
        error('MPI:peerLost', 'Rank %d has ended (%s): nothing can be sent to it.', rank, filempi_status_text(status));
    end
end
